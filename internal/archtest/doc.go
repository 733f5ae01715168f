// Package archtest keeps the shape of the house, as tests: who may import whom, how long a file may
// grow, and which words have no place in the repository. DESIGN.md says why.
package archtest
