/** Steps of `ssh` on its way to a server, by what its log says. Each host on the way has its own. */

/** What of the way is done, for the person who tests a connection. */
export interface SshStep {
	readonly kind: 'found' | 'connected' | 'known' | 'signedIn' | 'forwarded'
	readonly text: string
}

const said: readonly (readonly [SshStep['kind'], RegExp, (place: string) => string])[] = [
	['found', /^debug1: Connecting to (\S+) /, host => `Found ${host}`],
	['connected', /^debug1: Authenticating to (\S+) as /, host => `Connected to ${host}`],
	['known', /^(?:debug1: Host|Warning: Permanently added) '([^']+)'/, host => `Host key of ${host} is known`],
	['signedIn', /^Authenticated to (\S+) /, host => `Signed in to ${host}`],
]

/** Returns the step that a line of the log ends. */
export function stepOf(line: string): SshStep | undefined {
	for (const [kind, pattern, text] of said) {
		const place = pattern.exec(line)?.[1]
		if (place !== undefined) return { kind, text: text(place) }
	}
	return undefined
}

const next: Readonly<Record<SshStep['kind'], string>> = {
	found: 'connect',
	connected: 'verify the host key',
	known: 'sign in',
	signedIn: 'reach the next host',
	forwarded: 'reach the address',
}

/** Returns what was not done after the last step, as a verb. */
export const stepAfter = (step: SshStep | undefined): string => (step ? next[step.kind] : 'find the server')
