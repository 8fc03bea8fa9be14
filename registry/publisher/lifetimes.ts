/** Validity of a role's signature, in days. `publisher` is for every delegated role. */
export interface Lifetimes {
	readonly root: number
	readonly targets: number
	readonly publisher: number
	readonly snapshot: number
	readonly timestamp: number
}

export const lifetimesInDays: Lifetimes = { root: 365, targets: 90, publisher: 90, snapshot: 7, timestamp: 1 }

const dayMs = 24 * 3600 * 1000

const lifetimeMs = (role: string, lifetimes: Lifetimes): number =>
	dayMs * (role in lifetimes ? lifetimes[role as keyof Lifetimes] : lifetimes.publisher)

/** Returns the expiry of a signature made now, to the second, in the format of the specification. */
export function expiryOf(role: string, lifetimes: Lifetimes, now: Date): string {
	return new Date(now.getTime() + lifetimeMs(role, lifetimes)).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Returns whether to sign again: half of the lifetime is over, so that a late signature is not too late. */
export function isDue(
	{ role, expires }: { readonly role: string; readonly expires: string },
	lifetimes: Lifetimes,
	now: Date,
): boolean {
	return Date.parse(expires) - now.getTime() < lifetimeMs(role, lifetimes) / 2
}
