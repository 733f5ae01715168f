package emulator

import (
	"regexp"
	"strings"

	"cloud.google.com/go/monitoring/apiv3/v2/monitoringpb"
)

// seriesFilter is what a series must have: values by field, as resource.labels.location.
type seriesFilter map[string]string

var filterTerm = regexp.MustCompile(`^\s*([a-z_.]+)\s*=\s*("[^"]*"|[^\s"]+)\s*$`)

// parseSeriesFilter reads a filter of terms that are joined by AND, each a field, an equals sign and a value. Monitoring knows more.
func parseSeriesFilter(text string) (seriesFilter, error) {
	filter := seriesFilter{}
	for _, term := range strings.Split(strings.ReplaceAll(text, "\n", " "), " AND ") {
		match := filterTerm.FindStringSubmatch(term)
		if match == nil {
			return nil, invalidArgument(violation{"filter", "the emulator reads terms such as " + fieldMetricType + ` = "..." joined by AND`})
		}
		// Both spellings are in use: resource.label.location and resource.labels.location.
		field := strings.Replace(match[1], ".label.", ".labels.", 1)
		filter[field] = strings.Trim(match[2], `"`)
	}
	if filter[fieldMetricType] == "" {
		return nil, invalidArgument(violation{"filter", "must name one " + fieldMetricType})
	}
	return filter, nil
}

func (f seriesFilter) matches(series *monitoringpb.TimeSeries) bool {
	has := map[string]string{fieldMetricType: series.GetMetric().GetType(), "resource.type": series.GetResource().GetType()}
	for name, value := range series.GetMetric().GetLabels() {
		has["metric.labels."+name] = value
	}
	for name, value := range series.GetResource().GetLabels() {
		has["resource.labels."+name] = value
	}
	for field, value := range f {
		if has[field] != value {
			return false
		}
	}
	return true
}
