// Loaded by `--import`: moves the clock of a process by SHIFTED_DAYS days.
const shiftMs = Number(process.env.SHIFTED_DAYS) * 24 * 3600 * 1000
const { now } = Date
const shifted = () => now() + shiftMs
globalThis.Date = new Proxy(Date, {
	construct: (target, args) => Reflect.construct(target, args.length === 0 ? [shifted()] : args),
	get: (target, key) => (key === 'now' ? shifted : Reflect.get(target, key)),
})
