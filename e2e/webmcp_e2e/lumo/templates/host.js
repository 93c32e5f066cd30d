// A host in a test's hand: it sends what it is told, and keeps what comes.
const sessions = new Map();

function opened(port) {
  const entry = { port, inbox: [], closed: false, waiting: [] };
  const moved = () => {
    for (const wake of entry.waiting.splice(0)) wake();
  };
  port.onMessage.addListener((message) => {
    entry.inbox.push(message);
    moved();
  });
  port.onDisconnect.addListener(() => {
    // read, or Chromium complains that nobody did
    void chrome.runtime.lastError;
    entry.closed = true;
    moved();
  });
  return entry;
}

async function until(entry, condition) {
  while (!entry.closed && !condition()) await new Promise((wake) => entry.waiting.push(wake));
}

async function timed(act) {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

globalThis.scripted = {
  async send(id, message) {
    try {
      const value = await chrome.runtime.sendMessage(id, message);
      return value === undefined ? { nothing: true } : { value };
    } catch (error) {
      return { rejected: error.message };
    }
  },
  connect(id, name, messages) {
    const entry = opened(chrome.runtime.connect(id, { name }));
    const handle = sessions.size + 1;
    sessions.set(handle, entry);
    for (const message of messages) entry.port.postMessage(message);
    return handle;
  },
  /** Whether all were posted: a port that has closed takes nothing. */
  post(handle, messages) {
    const entry = sessions.get(handle);
    try {
      for (const message of messages) entry.port.postMessage(message);
      return true;
    } catch {
      return false;
    }
  },
  inbox: (handle) => sessions.get(handle).inbox,
  isClosed: (handle) => sessions.get(handle).closed,
  disconnect: (handle) => sessions.get(handle).port.disconnect(),
  async ended(handle) {
    const entry = sessions.get(handle);
    await until(entry, () => false);
    return true;
  },
  /** The answers to these ids; null for what was still open when the port closed. */
  async answers(handle, ids) {
    const entry = sessions.get(handle);
    const found = (id) => entry.inbox.find((message) => message.id === id && !("method" in message));
    await until(entry, () => ids.every(found));
    return ids.map((id) => found(id) ?? null);
  },
  async heard(handle, method, times) {
    const entry = sessions.get(handle);
    const count = () => entry.inbox.filter((message) => message.method === method).length;
    await until(entry, () => count() >= times);
    return count();
  },
  /** Milliseconds of one probe, and of one request on an open port: measured here, without the harness. */
  probeTime: (id, message) => timed(() => chrome.runtime.sendMessage(id, message)),
  requestTime(handle, message) {
    return timed(async () => {
      scripted.post(handle, [message]);
      await scripted.answers(handle, [message.id]);
    });
  },
};
