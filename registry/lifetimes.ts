/** How long a role's signature is good for, in days; `publisher` is every delegated role. */
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

/** The end of a signature made now, to the second, as the specification writes times. */
export function expiryOf(role: string, lifetimes: Lifetimes, now: Date): string {
	return new Date(now.getTime() + lifetimeMs(role, lifetimes)).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Whether it is time to sign anew: half of the life is over, so that whoever signs may miss a day. */
export function isDue(role: string, expires: string, lifetimes: Lifetimes, now: Date): boolean {
	return Date.parse(expires) - now.getTime() < lifetimeMs(role, lifetimes) / 2
}
