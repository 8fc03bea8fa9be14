const dayMs = 24 * 3600 * 1000

/**
 * Longest time until a role of a registry expires. A stolen key could otherwise sign a timestamp that hides updates for
 * ever. A root is signed for 365 days, and all roles of a checkout for 366 (registry/publisher/lifetimes.ts).
 */
export const maxValidityMs = 400 * dayMs

/** Returns why a role must not be valid until `expires`, as a phrase without a subject, or `undefined`. */
export function validityFault(expires: string, now: Date, maxMs = maxValidityMs): string | undefined {
	if (Date.parse(expires) - now.getTime() <= maxMs) return undefined
	return `is valid until ${expires}, longer than the ${maxMs / dayMs} days that a host accepts`
}
