package emulator

const maxContainers = 10

// checkShape is about what must be there at all.
func (c *checker) checkShape() {
	switch {
	case c.job.GetTemplate() == nil:
		c.request("template", "required field not present.")
	case c.task() == nil:
		c.template("template.template", "Job has no task template.")
	case len(c.task().GetContainers()) == 0:
		c.request("template.template.containers", "must contain at least one container")
	case len(c.task().GetContainers()) > maxContainers:
		c.request("template.template.containers", "must contain at most %d containers", maxContainers)
	}
}
