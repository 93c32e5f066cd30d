/**
 * One writer: every change of the store runs through here, one after the other. That is what makes "30 of 40 parallel
 * writes pass" exact, and what keeps a read and the write that depends on it together.
 */
type Task = () => Promise<void>;

const ofThePerson: Task[] = [];
const ofOthers: Task[] = [];
let running = false;

async function runAll(): Promise<void> {
  if (running) return;
  running = true;
  for (let task = next(); task; task = next()) await task();
  running = false;
}

function next(): Task | undefined {
  return ofThePerson.shift() ?? ofOthers.shift();
}

function queued<T>(queue: Task[], task: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    queue.push(() => task().then(resolve, reject));
    void runAll();
  });
}

/** Runs the task when all tasks before it have ended, however they ended. */
export function serialised<T>(task: () => Promise<T>): Promise<T> {
  return queued(ofOthers, task);
}

/** As `serialised`, but before everything that waits: a flood of calls must not hold up the switch that ends it. */
export function serialisedFirst<T>(task: () => Promise<T>): Promise<T> {
  return queued(ofThePerson, task);
}
