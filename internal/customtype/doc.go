// Package customtype holds the attribute types that compare by value instead of by spelling: Kubernetes quantities
// ("8" is "8000m") and durations ("1h" is "3600s").
//
// The framework applies semantic equality when it reads, creates and updates, but not when it plans, so each type comes
// with KeepSpelling, the plan modifier that closes that gap.
package customtype
