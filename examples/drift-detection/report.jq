# From a refresh-only plan (terraform show -json) and the events of making it ($events): who changed what.

# Values that a report for everybody must not repeat.
def hidden($change; $path):
  ($path | index("env") != null)
  or any($change.before_sensitive, $change.after_sensitive;
    . as $marks | any(range(0; $path | length + 1);
      . as $depth | try ($marks | getpath($path[:$depth]) == true) catch false));

# The places of a value that hold something: scalars, and what is empty.
def places: [paths(scalars, (select(type == "object" or type == "array") | select(length == 0)), nulls)];

def at($path): try getpath($path) catch null;

def spelled($path):
  reduce $path[] as $step ("";
    if ($step | type) == "number" then . + "[\($step)]"
    elif ($step | test("^[A-Za-z_][A-Za-z0-9_-]*$")) then (if . == "" then $step else . + "." + $step end)
    else . + "[\($step | tojson)]" end);

# A cell of a Markdown table: nothing in it may end the cell or the code.
def cell($value; $hidden):
  if $value == null then "–"
  elif $hidden then "(not shown)"
  else "`" + ($value | if type == "string" then . else tojson end | gsub("[`|\n]"; " ") | .[:80]) + "`" end;

def rows($change):
  $change.before as $before | $change.after as $after
  | ([$before, $after | places[]] | unique)[] as $path
  | ($before | at($path)) as $was | ($after | at($path)) as $is
  | select($was != $is and ([$was, $is] | all(type != "object" and type != "array" or length == 0)))
  | hidden($change; $path) as $hide
  | "| `" + spelled($path) + "` | " + cell($was; $hide) + " | " + cell($is; $hide) + " |";

# The provider's warning about this job, its first paragraph: who, when, with which client.
def who($address):
  [$events[] | select(.type == "diagnostic") | .diagnostic
    | select(.address == $address and .summary == "Job was changed outside Terraform")
    | .detail | split("\n\n")[0]]
  | first // "Nobody is known to have changed it: look in the audit log of the project.";

def resource:
  "\n### `\(.address)`\n\n"
  + if (.change.actions | index("delete")) != null then
      "It is gone. The audit log of the project says who deleted it; the next apply makes it anew."
    else
      who(.address) + "\n\n| Attribute | State | Now |\n|---|---|---|\n" + ([rows(.change)] | join("\n"))
    end;

[.resource_drift[]? | select(.mode == "managed" and .change.actions != ["no-op"])] as $drifted
| if ($drifted | length) == 0 then
    "## Outputs differ from the state\n\nNo resource was changed; an apply brings the outputs up to date."
  else
    "## Drift: \($drifted | length) changed outside Terraform",
    ($drifted[] | resource),
    "\nApply to bring the configuration back, or put the change into the configuration to keep it."
  end
