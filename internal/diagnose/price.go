package diagnose

import (
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"google.golang.org/grpc/codes"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/billingapi"
	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/fault"
)

// PricesNotRead is the summary where the catalogue of Cloud Billing could not be asked.
const PricesNotRead Summary = "Prices could not be read"

// GPUCountWithoutType refuses a number of GPUs of no type.
func GPUCountWithoutType(at path.Path) diag.Diagnostic {
	return ErrorAt(at, InvalidLookup, Message{What: "gpu_count is set, but no gpu_type.", Do: "Set gpu_type too, or leave both out for a job without a GPU."})
}

// GPUCountNotAllowed refuses a number of GPUs that no task can have.
func GPUCountNotAllowed(at path.Path, gpuType string, count int64, allowed []int64) diag.Diagnostic {
	return ErrorAt(at, InvalidLookup, Message{
		What: fmt.Sprintf("A task cannot have %d GPUs of the type %s.", count, gpuType),
		Do:   fmt.Sprintf("The numbers that it can have are: %s.", commas(allowed)),
	})
}

func commas(numbers []int64) string {
	text := ""
	for i, n := range numbers {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(n)
	}
	return text
}

// PricesUnread warns that the prices are those that come with the provider.
func PricesUnread(err error) diag.Diagnostic {
	m := Message{
		What: "The price list of Cloud Billing could not be read; estimates use the prices that come with the provider.",
		Why:  because(err),
		Do:   readPrices(err) + " Or set live_prices = false in the data source.",
		Know: "This is said once; the part of an estimate says of which day its price is.",
	}
	var setup *SetupFault
	if errors.As(err, &setup) {
		m.Why, m.Do = setup.Message.What+" "+setup.Message.Why, setup.Message.Do
	}
	return WarningAt(path.Empty(), PricesNotRead, m)
}

// PricesProblem is why the price list could not be read, in one line for a result: without the API's own words, which may
// differ from call to call.
func PricesProblem(err error) string {
	f, ok := fault.As(err)
	switch {
	case !ok:
		return "the provider is not set up to ask Cloud Billing"
	case f.Unreachable, f.Credentials:
		return "Cloud Billing was not reached"
	case f.Reason != "":
		return "Cloud Billing answered " + f.Status() + " (" + f.Reason + ")"
	}
	return "Cloud Billing answered " + f.Status()
}

func readPrices(err error) string {
	f, ok := fault.As(err)
	switch {
	case !ok:
		return "Check the configuration of the provider."
	case f.Credentials:
		return "Log in with: gcloud auth application-default login."
	case f.Unreachable:
		return "Check the network and the endpoint cloud_billing."
	case f.Reason == "SERVICE_DISABLED", f.Code == codes.PermissionDenied:
		return "Enable the Cloud Billing API in the project that calls are counted against: gcloud services enable cloudbilling.googleapis.com."
	}
	return "Plan again later, or look at https://status.cloud.google.com."
}

// BillingSKU says which entry of the catalogue of Cloud Billing a price is from.
func BillingSKU(id string) string { return "Cloud Billing SKU " + id }

// NoGPUToPay says why there is no price of a GPU where none is used.
func NoGPUToPay() string { return "the job has no GPU" }

// NoPriceTier says why there is no price in a region that the catalogue does not have.
func NoPriceTier(what, region string) string {
	return fmt.Sprintf("no price of a %s in %s is known: Cloud Billing gave none, and the provider does not know the region's price tier", what, region)
}

// NoPrice says why there is no price in a tier.
func NoPrice(what, region string, tier int) string {
	return fmt.Sprintf("no price of a %s in %s is known: Cloud Billing gave none, and the provider has none for it in price tier %d", what, region, tier)
}

// NotBilled says why a price of Cloud Billing is not used; "" where it was not asked for one, or could not be.
func NotBilled(f billingapi.Finding) string {
	switch f {
	case billingapi.Ambiguous:
		return "Cloud Billing has several prices that could be meant"
	case billingapi.Unreadable:
		return "the price of Cloud Billing is in a form that is not known"
	case billingapi.Missing, billingapi.Found:
	}
	return ""
}
