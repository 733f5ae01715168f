package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

//go:embed main.tf.tmpl
var mainTF string

var configuration = template.Must(template.New("main.tf").Parse(mainTF))

// stage is where the story plays.
type stage struct {
	terraform *command
	cloud     *cloud
	dir       string
	step      int
}

// job is what differs between the configurations of the story.
type job struct {
	GPU         bool
	Parallelism int
}

func tell(ctx context.Context, s *stage) error {
	for _, step := range []func(context.Context, *stage) error{
		refused, created, unchanged, drifted, mended, withoutGPU, destroyed,
	} {
		if err := step(ctx, s); err != nil {
			return fmt.Errorf("step %d: %w", s.step, err)
		}
	}
	fmt.Printf("\nAll %d steps did what they say. Nothing is left running.\n", s.step)
	return nil
}

func refused(ctx context.Context, s *stage) error {
	s.say("A job with 8 GPUs at once. The project's quota is 3: the plan is refused, and says what to write.")
	if err := s.write(job{GPU: true, Parallelism: 8}); err != nil {
		return err
	}
	// Init has much to say about a provider that does not come from a registry; here its last word is enough.
	s.terraform.only = "successfully initialized"
	if err := s.expect(ctx, 0, []string{s.terraform.only}, "init"); err != nil {
		return err
	}
	s.terraform.only = ""
	return s.expect(ctx, 1, []string{"GPU quota exceeded", "Set parallelism = 3"}, "plan")
}

func created(ctx context.Context, s *stage) error {
	s.say("With parallelism = 3 it fits. CPU and memory, left out, are planned as the smallest that an L4 allows.")
	if err := s.write(job{GPU: true, Parallelism: 3}); err != nil {
		return err
	}
	if err := s.expect(ctx, 0, []string{"1 added", `peak_gpus           = 3`}, "apply", "-auto-approve"); err != nil {
		return err
	}
	return s.see(ctx, "nvidia-l4", "template", "template", "nodeSelector", "accelerator")
}

func unchanged(ctx context.Context, s *stage) error {
	s.say("A second plan has nothing to do.")
	return s.expect(ctx, 0, []string{"No changes"}, "plan", "-detailed-exitcode")
}

func drifted(ctx context.Context, s *stage) error {
	s.say("Somebody sets the retries to 0 in the console. A drift check in CI finds it: exit code 2.")
	err := s.cloud.edit(ctx, func(job map[string]any) {
		task, _ := at(job, "template", "template").(map[string]any)
		task["maxRetries"] = 0
	})
	if err != nil {
		return err
	}
	return s.expect(ctx, 2, []string{"max_retries", "3 -> 0"}, "plan", "-refresh-only", "-detailed-exitcode")
}

func mended(ctx context.Context, s *stage) error {
	s.say("The next apply mends it.")
	if err := s.expect(ctx, 0, []string{"1 changed"}, "apply", "-auto-approve"); err != nil {
		return err
	}
	return s.see(ctx, float64(3), "template", "template", "maxRetries")
}

func withoutGPU(ctx context.Context, s *stage) error {
	s.say("The GPU is taken off: the gpu attribute goes, and one apply does it, in place.")
	if err := s.write(job{Parallelism: 3}); err != nil {
		return err
	}
	if err := s.expect(ctx, 0, []string{"1 changed", "0 destroyed"}, "apply", "-auto-approve"); err != nil {
		return err
	}
	return s.see(ctx, nil, "template", "template", "nodeSelector", "accelerator")
}

func destroyed(ctx context.Context, s *stage) error {
	s.say("And everything is destroyed.")
	if err := s.expect(ctx, 0, []string{"1 destroyed"}, "destroy", "-auto-approve"); err != nil {
		return err
	}
	left, err := s.cloud.job(ctx)
	if err == nil && left != nil {
		return fmt.Errorf("the job is still there")
	}
	return err
}

func (s *stage) say(text string) {
	s.step++
	fmt.Printf("\n%d. %s\n", s.step, text)
}

// write lays the configuration and shows it the first time.
func (s *stage) write(j job) error {
	var text strings.Builder
	if err := configuration.Execute(&text, j); err != nil {
		return fmt.Errorf("writing main.tf: %w", err)
	}
	if s.step == 1 {
		fmt.Printf("$ cat main.tf\n    %s\n", strings.ReplaceAll(strings.TrimSpace(text.String()), "\n", "\n    "))
	}
	if err := os.WriteFile(filepath.Join(s.dir, "main.tf"), []byte(text.String()), 0o600); err != nil {
		return fmt.Errorf("writing main.tf: %w", err)
	}
	return nil
}

// expect runs the CLI and compares exit code and output with what the step promises.
func (s *stage) expect(ctx context.Context, code int, words []string, args ...string) error {
	output, got, err := s.terraform.run(ctx, args...)
	if err != nil {
		return err
	}
	if got != code {
		return fmt.Errorf("%s ended with exit code %d, not %d", args[0], got, code)
	}
	for _, w := range words {
		if !strings.Contains(output, w) {
			return fmt.Errorf("%s does not say %q", args[0], w)
		}
	}
	return nil
}

// see compares a field of the job, read past Terraform, with what the step promises.
func (s *stage) see(ctx context.Context, want any, field ...string) error {
	job, err := s.cloud.job(ctx)
	if err != nil {
		return err
	}
	if job == nil {
		return fmt.Errorf("there is no job")
	}
	if got := at(job, field...); got != want {
		return fmt.Errorf("the job's %s is %v, not %v", strings.Join(field, "."), got, want)
	}
	return nil
}
