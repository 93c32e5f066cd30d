// Records what crosses this context's borders. `webmcp_e2e.hops.tap` puts it ahead of the context's own code.
// Nothing here may change what the code under test sees, keep a worker alive, or throw.
//
// `config`: `world` ("worker" | "isolated" | "page"), `sink` (URL, for workers) or `binding` (name of a function, for
// documents), `secrets` (texts that leave this context as a mark only), `bounds`.
((config) => {
  const { performance } = globalThis;
  const { stringify, parse } = JSON;
  const post = globalThis.fetch;
  const later = globalThis.setTimeout;
  const deliver = config.binding ? globalThis[config.binding] : undefined;
  if (config.binding) {
    if (typeof deliver !== "function") return undefined;
    delete globalThis[config.binding];
  }
  const now = () => performance.timeOrigin + performance.now();
  const context = `${config.world}-${Math.random().toString(36).slice(2, 12)}`;

  // ---- what leaves: batches, one under way at a time ----
  // They wait until nothing has been recorded for a moment, so that a call is not slowed down by the sending, but not
  // for ever; what ends a context does not wait.

  let queue = [];
  let count = 0;
  let scheduled = false;
  let underWay = false;
  const urgent = new Set(["error", "port.close", "socket.close", "port.fail"]);

  function send(batch) {
    const records = batch.map(({ raw, ...record }) =>
      raw === undefined ? record : { ...record, data: frame(raw) },
    );
    const text = hide(stringify({ context, world: config.world, records }));
    if (deliver) {
      deliver(text);
      return;
    }
    underWay = true;
    const arrived = () => {
      underWay = false;
      if (queue.length) flush();
    };
    post(config.sink, { method: "POST", mode: "no-cors", body: text }).then(arrived, arrived);
  }

  function flush() {
    scheduled = false;
    if (underWay || !queue.length) return;
    const batch = queue;
    queue = [];
    send(batch);
  }

  function flushWhenQuiet() {
    const { delay, longest } = config.bounds;
    const busy = queue.length && now() - queue[queue.length - 1].t < delay && now() - queue[0].t < longest;
    if (busy) later(flushWhenQuiet, delay);
    else flush();
  }

  function record(kind, more) {
    try {
      if (count >= config.bounds.records) return;
      queue.push({ n: count++, t: now(), kind, ...more });
      if (urgent.has(kind)) flush();
      else if (!scheduled && !underWay) {
        scheduled = true;
        later(flushWhenQuiet, config.bounds.delay);
      }
    } catch {
      // The code under test must not notice.
    }
  }

  // ---- payloads: bounded copies without secrets ----

  const secretKey =
    /^(authorization|proxy-authorization|x-api-key|api[-_]?key|cookie|set-cookie|password|secret|token|access[-_]?token)$/i;
  const scriptKey = /^(source|source_?code|code|script)$/i;
  const plainWord = /^[\w.:@/ -]{0,40}$/;

  function hide(text) {
    return config.secrets.reduce((left, secret) => left.split(secret).join("[secret]"), text);
  }

  function text(value) {
    const limit = config.bounds.text;
    if (value.includes("==UserScript==")) return `[script, ${value.length} characters]`;
    return value.length > limit ? `${value.slice(0, limit)}… [${value.length} characters]` : value;
  }

  function member(key, value, left) {
    if (secretKey.test(key) && value !== null && value !== undefined) return "[secret]";
    if (scriptKey.test(key) && typeof value === "string" && !plainWord.test(value))
      return `[script, ${value.length} characters]`;
    return copy(value, left);
  }

  function copy(value, left) {
    if (typeof value === "string") return text(value);
    if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value !== "object" || value === null) return value;
    if (left.nodes-- <= 0 || left.depth <= 0) return "[…]";
    if (value instanceof Error) return text(value.stack || String(value));
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    left.depth--;
    const copied = Array.isArray(value)
      ? value.slice(0, config.bounds.items).map((item) => copy(item, left))
      : Object.fromEntries(
          Object.keys(value)
            .slice(0, config.bounds.items)
            .map((key) => [key, member(key, value[key], left)]),
        );
    left.depth++;
    return copied;
  }

  function body(value) {
    try {
      return copy(value, { nodes: config.bounds.nodes, depth: config.bounds.depth });
    } catch (error) {
      return `[not readable: ${error}]`;
    }
  }

  // Frames of a websocket are text; what is JSON is recorded as what it says, and read only when it leaves: until
  // then the text cannot change.
  const unread = (data) => (typeof data === "string" ? { raw: data } : { data: body(data) });

  function frame(data) {
    if (data.length > config.bounds.frame) return text(data);
    try {
      return body(parse(data));
    } catch {
      return text(data);
    }
  }

  // ---- wrapping ----

  function wrap(object, name, around) {
    const native = object?.[name];
    if (typeof native !== "function") return;
    try {
      object[name] = new Proxy(native, {
        apply: (target, self, args) => around(args, (given) => Reflect.apply(target, self, given ?? args)),
      });
    } catch {
      // A frozen object stays unrecorded.
    }
  }

  function failing(kind, more, call) {
    try {
      return call();
    } catch (error) {
      record(kind, { ...more, failed: String(error) });
      throw error;
    }
  }

  // Lazy events wake workers, so no listener of ours is ever added to one: the extension's own are recorded.
  function watchEvent(event, around) {
    const twins = new WeakMap();
    const twin = (listener) => {
      if (typeof listener !== "function") return listener;
      if (!twins.has(listener)) {
        const apply = (target, self, args) =>
          around(args, (given) => Reflect.apply(target, self, given ?? args));
        twins.set(listener, new Proxy(listener, { apply }));
      }
      return twins.get(listener);
    };
    for (const name of ["addListener", "removeListener", "hasListener"])
      wrap(event, name, ([listener, ...more], call) => call([twin(listener), ...more]));
  }

  function who(sender) {
    if (!sender) return undefined;
    const { id, url, tab, frameId, documentId } = sender;
    return { extension: id, url: url && text(url), tab: tab?.id, frame: frameId, document: documentId };
  }

  // ---- ports ----

  let ports = 0;

  function watchPort(port, way, peer) {
    const number = ++ports;
    record("port.open", { port: number, way, name: port.name, peer });
    wrap(port, "postMessage", (args, call) => {
      record("port.out", { port: number, name: port.name, data: body(args[0]) });
      return failing("port.fail", { port: number, name: port.name }, call);
    });
    wrap(port, "disconnect", (_args, call) => {
      record("port.close", { port: number, name: port.name, by: "self" });
      return call();
    });
    port.onMessage.addListener((message) =>
      record("port.in", { port: number, name: port.name, data: body(message) }),
    );
    // `lastError` is not read: that would silence Chromium's own complaint about it.
    port.onDisconnect.addListener(() => record("port.close", { port: number, name: port.name, by: "peer" }));
  }

  const incoming = new WeakSet();

  function watchIncoming(port, external) {
    if (!port || incoming.has(port)) return;
    incoming.add(port);
    watchPort(port, "in", { ...who(port.sender), external });
  }

  function watchConnects(event, external) {
    watchEvent(event, (args, call) => {
      watchIncoming(args[0], external);
      return call();
    });
  }

  function watchConnect(object, api) {
    wrap(object, "connect", (args, call) => {
      const to = typeof args[0] === "object" ? undefined : args[0];
      const port = failing("port.fail", { api, to }, call);
      watchPort(port, "out", { api, to });
      return port;
    });
  }

  // ---- one-time messages ----

  let messages = 0;
  const received = new WeakMap();

  function watchMessages(event, external) {
    watchEvent(event, ([message, sender, answer, ...more], call) => {
      const known = received.get(sender) ?? receive(message, sender, answer, external);
      const returned = call([message, sender, known.answer, ...more]);
      if (returned && typeof returned.then === "function") returned.then(known.reply, known.refuse);
      return returned;
    });
  }

  function receive(message, sender, answer, external) {
    const number = ++messages;
    record("message.in", { message: number, peer: { ...who(sender), external }, data: body(message) });
    const reply = (value) => record("message.answer", { message: number, data: body(value) });
    const refuse = (error) => record("message.answer", { message: number, failed: String(error) });
    const apply = (target, self, args) => {
      reply(args[0]);
      return Reflect.apply(target, self, args);
    };
    const known = {
      reply,
      refuse,
      answer: typeof answer === "function" ? new Proxy(answer, { apply }) : answer,
    };
    if (sender) received.set(sender, known);
    return known;
  }

  function watchSending(object, api) {
    wrap(object, "sendMessage", (args, call) => {
      const number = ++messages;
      const last = args[args.length - 1];
      const values = typeof last === "function" ? args.slice(0, -1) : args;
      const addressed = api === "tabs" || (typeof values[0] === "string" && values.length > 1);
      record("message.out", {
        message: number,
        api,
        to: addressed ? values[0] : undefined,
        data: body(values[addressed ? 1 : 0]),
      });
      const done = (value) => record("message.reply", { message: number, data: body(value) });
      if (typeof last === "function") {
        const apply = (target, self, given) => {
          done(given[0]);
          return Reflect.apply(target, self, given);
        };
        return call([...values, new Proxy(last, { apply })]);
      }
      const promise = failing("message.reply", { message: number }, call);
      if (!promise || typeof promise.then !== "function") return promise;
      // The promise that is returned is the one that rejects: otherwise the extension's own would count as handled.
      return promise.then(
        (value) => {
          done(value);
          return value;
        },
        (error) => {
          record("message.reply", { message: number, failed: String(error) });
          throw error;
        },
      );
    });
  }

  function watchExtensionApi(api) {
    if (!api?.runtime) return;
    watchConnect(api.runtime, "runtime");
    watchConnect(api.tabs, "tabs");
    watchSending(api.runtime, "runtime");
    watchSending(api.tabs, "tabs");
    watchConnects(api.runtime.onConnect, false);
    watchConnects(api.runtime.onConnectExternal, true);
    watchMessages(api.runtime.onMessage, false);
    watchMessages(api.runtime.onMessageExternal, true);
  }

  // ---- websockets, windows, console ----

  let sockets = 0;

  function watchSocket(socket, url) {
    const number = ++sockets;
    record("socket.new", { socket: number, url: text(String(url)) });
    wrap(socket, "send", (args, call) => {
      record("socket.out", { socket: number, ...unread(args[0]) });
      return call();
    });
    socket.addEventListener("open", () =>
      record("socket.open", { socket: number, protocol: socket.protocol }),
    );
    socket.addEventListener("message", (event) =>
      record("socket.in", { socket: number, ...unread(event.data) }),
    );
    socket.addEventListener("close", ({ code, reason }) =>
      record("socket.close", { socket: number, code, reason }),
    );
  }

  function watchSockets() {
    const native = globalThis.WebSocket;
    if (typeof native !== "function") return;
    const wrapped = new Proxy(native, {
      construct(target, args, made) {
        const socket = Reflect.construct(target, args, made === wrapped ? target : made);
        watchSocket(socket, args[0]);
        return socket;
      },
    });
    globalThis.WebSocket = wrapped;
  }

  function watchWindow() {
    globalThis.addEventListener(
      "message",
      (event) => {
        const own = event.source === globalThis;
        record("window.in", { own, origin: event.origin, data: body(event.data) });
      },
      true,
    );
    if (config.world !== "isolated") return;
    wrap(globalThis, "postMessage", (args, call) => {
      record("window.out", { data: body(args[0]) });
      return call();
    });
  }

  function watchConsole() {
    for (const level of ["debug", "log", "info", "warn", "error"])
      wrap(globalThis.console, level, (args, call) => {
        record("console", { level, data: body(args) });
        return call();
      });
    globalThis.addEventListener("error", ({ message, filename, lineno, error }) =>
      record("error", {
        message: text(String(message)),
        at: `${filename}:${lineno}`,
        data: body(error?.stack),
      }),
    );
    globalThis.addEventListener("unhandledrejection", ({ reason }) =>
      record("error", { message: `unhandled rejection: ${text(String(reason))}`, data: body(reason?.stack) }),
    );
  }

  const ofExtension = config.world !== "page" || globalThis.location.protocol === "chrome-extension:";
  record("hello", {
    url: text(String(globalThis.location?.href ?? "")),
    extension: ofExtension ? globalThis.chrome?.runtime?.id : undefined,
  });
  if (ofExtension) watchExtensionApi(globalThis.chrome);
  if (config.world === "worker") {
    watchSockets();
    watchConsole();
  } else {
    watchWindow();
    globalThis.addEventListener("pagehide", flush, true);
  }
  return { context, now: now() };
})(__CONFIG__);
