/** Loaded into the service before its own code. Prints to stderr when a built-in prototype has changed. */
const PROTOTYPES = {
  Object: Object.prototype,
  Array: Array.prototype,
  Function: Function.prototype,
  String: String.prototype,
  Number: Number.prototype,
};
const INTERVAL_MS = 200;

/** The members before the service has run. */
const before = Object.fromEntries(Object.entries(PROTOTYPES).map(([name, prototype]) => [name, namesOf(prototype)]));

setInterval(() => {
  for (const [name, prototype] of Object.entries(PROTOTYPES)) {
    if (namesOf(prototype) !== before[name]) console.error(`PROTOTYPE CHANGED: ${name} has ${namesOf(prototype)}`);
  }
}, INTERVAL_MS).unref();

function namesOf(prototype: object): string {
  return Reflect.ownKeys(prototype).map(String).sort().join(' ');
}
