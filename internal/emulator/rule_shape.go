package emulator

// checkShape is about what must be there at all.
func (c *checker) checkShape() {
	switch {
	case c.job.GetTemplate() == nil:
		c.request("template", "required field not present.")
	case c.task() == nil:
		c.template("template.template", "Job has no task template.")
	}
}
