package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cloudrungpu/terraform-provider-cloudrungpu/internal/gpu"
)

const gib = 1 << 30

// types is the table of what there is to know of each GPU type, a type a column.
func types(c *gpu.Catalogue) string {
	all := c.Types()
	rows := []struct {
		name string
		of   func(*gpu.Type) string
	}{
		{"memory of the GPU", func(t *gpu.Type) string { return fmt.Sprintf("%d GB", t.MemoryGB) }},
		{"architecture", func(t *gpu.Type) string { return t.Architecture }},
		{"driver, and newest CUDA", func(t *gpu.Type) string { return t.Driver + ", " + t.CUDA }},
		{"GPUs per task", func(t *gpu.Type) string { return strings.Trim(fmt.Sprint(t.PerTask), "[]") }},
		{"CPU and memory of the container", sizes},
		{"longest task", longest},
		{"price per hour, USD", perHour},
	}
	var b strings.Builder
	b.WriteString("| |")
	for _, t := range all {
		b.WriteString(" `" + t.Name + "` |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(all)) + "\n")
	for _, row := range rows {
		b.WriteString("| " + row.name + " |")
		for _, t := range all {
			b.WriteString(" " + row.of(t) + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func sizes(t *gpu.Type) string {
	var out []string
	for _, s := range t.Sizes {
		memory := fmt.Sprintf("%dGi to %dGi", s.MinMemory/gib, s.MaxMemory/gib)
		if s.MinMemory == s.MaxMemory {
			memory = fmt.Sprintf("%dGi", s.MinMemory/gib)
		}
		out = append(out, fmt.Sprintf("%d: %s", s.CPU, memory))
	}
	return strings.Join(out, "<br>")
}

func longest(t *gpu.Type) string {
	var out []string
	for _, limit := range t.Tasks {
		hours := fmt.Sprintf("%gh", limit.Longest.Hours())
		if limit.Stage != "GA" {
			hours += fmt.Sprintf(" with `launch_stage = %q`", limit.Stage)
		}
		out = append(out, hours)
	}
	return strings.Join(out, ", ")
}

// perHour is the list price of what jobs use, GPUs without zonal redundancy.
func perHour(t *gpu.Type) string {
	var out []string
	for _, p := range t.Prices {
		var perSecond float64
		if _, err := fmt.Sscan(p.PerSecondUSD, &perSecond); err != nil || p.ZonalRedundancy || p.Certainty == gpu.Unknown {
			continue
		}
		out = append(out, fmt.Sprintf("%.3f (tier %d, %s)", perSecond*time.Hour.Seconds(), p.Tier, p.Date))
	}
	return strings.Join(out, "<br>")
}

// regions is the table of the regions with any GPU, and what each offers.
func regions(c *gpu.Catalogue) string {
	all := c.Types()
	var b strings.Builder
	b.WriteString("| Region |")
	for _, t := range all {
		b.WriteString(" `" + t.Name + "` |")
	}
	b.WriteString(" Price tier | Low CO2 |\n|---|" + strings.Repeat("---|", len(all)+2) + "\n")
	for _, r := range c.Regions() {
		b.WriteString("| `" + r.Name + "` |")
		for _, t := range all {
			b.WriteString(" " + offered(t, r) + " |")
		}
		fmt.Fprintf(&b, " %d | %s |\n", r.PriceTier, yes(r.LowCO2))
	}
	return b.String()
}

func offered(t *gpu.Type, r gpu.Region) string {
	offer, found := t.Offer(r.Name)
	switch {
	case !found:
		return "–"
	case slices.Contains(r.InvitationOnly, t.Name):
		return "by invitation"
	case offer.Note != "":
		return "yes: " + offer.Note
	}
	return "yes"
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "–"
}

// quotas is the table of the quotas that a job draws on, and their units.
func quotas(c *gpu.Catalogue) string {
	var b strings.Builder
	b.WriteString("| Of | Quota id | Unit |\n|---|---|---|\n")
	for _, t := range c.Types() {
		unit := "GPU"
		if t.Quota.PerGPU != 1 {
			unit = fmt.Sprintf("1/%d of a GPU: 3 GPUs are %d", t.Quota.PerGPU, 3*t.Quota.PerGPU)
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", t.Name, t.Quota.ID, unit)
	}
	allocations := c.AllocationQuotas()
	fmt.Fprintf(&b, "| CPU | `%s` | 1/%d of a vCPU |\n", allocations.CPU.ID, allocations.CPU.Unit)
	fmt.Fprintf(&b, "| memory | `%s` | byte |\n", allocations.Memory.ID)
	return b.String()
}
