/** Names of values that are secrets. */

const secretName =
	/^(?:pass|pwd|pin|jwt|bearer|xauth|sessionid|samlresponse|sig)$|(?:passwords?|passwd|passphrase|passcode|secrets?|apikeys?|accesskey(?:id)?|accountkey|clientkey|secretkey|privatekey|sshkey|connectionstring|token|ticket|authorization|credentials?|cookies?)(?:hash|value|encoded|json|confirmation|\d)?$/

/** Returns a name without case and separators: `X-Api-Key`, `api_key` and `apiKey` are one name. */
export const plainName = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Returns whether a value of this name is a secret. */
export function namesSecret(name: string): boolean {
	return secretName.test(plainName(name))
}
