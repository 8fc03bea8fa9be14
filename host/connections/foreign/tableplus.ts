import { addressParts } from './address-parts.ts'
import { connectionOf, type ForeignConnection } from './foreign-connection.ts'

/** Addresses, one a line, as TablePlus copies connections: `mysql+ssh://ann@hop/user:password@db/shop?name=Shop`. */

const line = /^[a-z][a-z0-9.-]*(?:\+ssh)?:\/\/\S+$/i

const linesOf = (text: string) =>
	text
		.split(/\r?\n/)
		.map(written => written.trim())
		.filter(written => written !== '')

/** Whether each line of a text is an address. */
export const isAddressesFile = (text: string): boolean => {
	const lines = linesOf(text)
	return lines.length > 0 && lines.every(written => line.test(written))
}

export function readAddresses(text: string): readonly ForeignConnection[] {
	return linesOf(text).map(written => {
		const address = addressParts(written)
		const parameters = new URLSearchParams(/\?([^#]*)/.exec(written)?.[1] ?? '')
		return connectionOf({
			name: parameters.get('name') ?? undefined,
			engines: address ? [address.scheme] : [],
			...address,
			isProduction: /^prod/i.test(parameters.get('env') ?? parameters.get('enviroment') ?? ''),
			left: [parameters.get('usePrivateKey') === 'true' && 'the key file of SSH'],
			fault: address ? undefined : 'its address cannot be read',
		})
	})
}
