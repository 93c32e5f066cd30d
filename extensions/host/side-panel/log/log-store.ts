/** Where the log is kept: IndexedDB, as a change of `chrome.storage` would start the worker each time. */

const DATABASE = "lumo-panel";
const STORE = "log";

/** A list that only grows at its end and is cut at its beginning; panels of several windows share it. */
export class LogStore<T> {
  private database: Promise<IDBDatabase> | undefined;

  constructor(private readonly limit: number) {}

  /** Oldest first. */
  async all(): Promise<T[]> {
    const store = await this.store("readonly");
    return settled(store.getAll() as IDBRequest<T[]>);
  }

  async count(): Promise<number> {
    return settled((await this.store("readonly")).count());
  }

  async append(entry: T): Promise<void> {
    const store = await this.store("readwrite");
    store.add(entry);
    const surplus = (await settled(store.count())) - this.limit;
    if (surplus > 0) await this.drop(store, surplus);
  }

  async clear(): Promise<void> {
    await settled((await this.store("readwrite")).clear());
  }

  private async drop(store: IDBObjectStore, count: number): Promise<void> {
    const keys = await settled(store.getAllKeys(null, count));
    for (const key of keys) store.delete(key);
  }

  private async store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    this.database ??= open();
    return (await this.database).transaction(STORE, mode).objectStore(STORE);
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { autoIncrement: true });
  return settled(request);
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB failed"));
  });
}
