package datasource

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/providerdata"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/quota"
)

// question is a quota to be asked about.
type question struct{ id, metric string }

// answer is what the APIs say of a quota, in its own units.
type answer struct {
	id    string
	limit quota.Limit
	err   error
	used  int64
	known bool // whether used is known
}

// ask puts all questions at once and returns the answers in their order.
func ask(ctx context.Context, data *providerdata.Data, project, region string, questions []question) []answer {
	answers := make([]answer, len(questions))
	var group sync.WaitGroup
	for i, q := range questions {
		answers[i].id = q.id
		group.Go(func() { answers[i].limit, answers[i].err = data.Quotas.Limit(ctx, project, q.id, region) })
		group.Go(func() {
			used, known, err := data.Usage.Used(ctx, project, q.metric, region)
			answers[i].used, answers[i].known = used, known && err == nil // what is in use is worth no failure
		})
	}
	group.Wait()
	return answers
}

func (a answer) unlimited() bool {
	return a.limit.State == quota.Known && a.limit.Value == quota.Unlimited
}

// raw is the value of the API, null where it has none for the region.
func (a answer) raw() types.Int64 {
	if a.limit.State == quota.Absent {
		return types.Int64Null()
	}
	return types.Int64Value(a.limit.Value)
}

// inWholes is what is in use, in wholes of so many quota units; null where it is not known.
func (a answer) inWholes(units int64) types.Float64 {
	if !a.known {
		return types.Float64Null()
	}
	return types.Float64Value(float64(a.used) / float64(units))
}

func (a answer) increase() increaseModel {
	e := a.limit.Eligibility
	if !e.Known {
		return increaseModel{}
	}
	return increaseModel{Eligible: types.BoolValue(e.Eligible), Reason: textOrNull(e.Reason)}
}
