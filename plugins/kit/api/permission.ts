import type { Access } from './console.ts'
import { DriverError } from './errors.ts'

/** What a call may do at most, from harmless to dangerous. */
const ranks: readonly Access[] = ['read', 'write', 'destructive']

const deeds: Readonly<Record<Access, string>> = { read: 'reads', write: 'writes', destructive: 'may destroy data' }

/**
 * Prevents a driver from doing more than its call was permitted. Called before each request is sent. @param what names
 * the request, for example `DELETE /books` @throws DriverError `denied`
 */
export function refuseAbove(access: Access, permitted: Access, what: string): void {
	if (ranks.indexOf(access) <= ranks.indexOf(permitted)) return
	throw new DriverError('denied', `${what} ${deeds[access]}, but this call may only ${permitted}.`)
}
