package emulator

import "net/http"

// taskFailureJSON is a TaskFailure as the knobs write it; without a task it is about all of them.
type taskFailureJSON struct {
	Job      string `json:"job"`
	Task     *int   `json:"task"`
	Attempts int    `json:"attempts"`
	ExitCode int32  `json:"exit_code"`
	Signal   int32  `json:"signal"`
}

func (k knobs) postTaskFailure(w http.ResponseWriter, r *http.Request) {
	var given taskFailureJSON
	err := readJSON(r, &given)
	if err == nil {
		err = k.server.FailTasks(given.failure())
	}
	if err != nil {
		writeKnobError(w, http.StatusBadRequest, err)
		return
	}
	writeJSON(w, http.StatusOK, struct{}{})
}

func (k knobs) getTaskFailures(w http.ResponseWriter, _ *http.Request) {
	all := []taskFailureJSON{}
	for _, f := range k.server.TaskFailures() {
		shown := taskFailureJSON{Job: f.Job, Attempts: f.Attempts, ExitCode: f.ExitCode, Signal: f.Signal}
		if f.Task != EveryTask {
			shown.Task = &f.Task
		}
		all = append(all, shown)
	}
	writeJSON(w, http.StatusOK, all)
}

func (f taskFailureJSON) failure() TaskFailure {
	failure := TaskFailure{Job: f.Job, Task: EveryTask, Attempts: f.Attempts, ExitCode: f.ExitCode, Signal: f.Signal}
	if f.Task != nil {
		failure.Task = *f.Task
	}
	return failure
}
