// Package emulator is a local server that answers as Cloud Run does for jobs with GPUs.
package emulator
