import { type Bridge, plain, serverDescription, serverName } from './clients.ts'

/**
 * Addresses that a client opens by itself to add a server, from each one's documentation. They name the bridge and hold no
 * secret: the token is in the handshake file, which the bridge alone reads.
 */

const base64 = (text: string) => encodeURIComponent(Buffer.from(text).toString('base64'))

const links: Readonly<Record<string, (bridge: Bridge) => string | undefined>> = {
	cursor: bridge =>
		`cursor://anysphere.cursor-deeplink/mcp/install?name=${serverName}&config=${base64(JSON.stringify(plain(bridge)))}`,
	vscode: bridge => `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: serverName, ...plain(bridge) }))}`,
	'lm-studio': bridge => `lmstudio://add_mcp?name=${serverName}&config=${base64(JSON.stringify(plain(bridge)))}`,
	kiro: bridge =>
		`https://kiro.dev/launch/mcp/add?name=${serverName}&config=${encodeURIComponent(JSON.stringify(plain(bridge)))}`,
	// It asks the person for each variable and takes no value for one.
	goose: ({ command, args, env }) => {
		if (Object.keys(env).length > 0) return undefined
		const parts = [
			`cmd=${encodeURIComponent(command)}`,
			...args.map(arg => `arg=${encodeURIComponent(arg)}`),
			`id=${serverName}&name=Roundhouse&description=${encodeURIComponent(serverDescription)}&timeout=300`,
		]
		return `goose://extension?${parts.join('&')}`
	},
}

export const linkedClients: readonly string[] = Object.keys(links)

/** `undefined` where the client has no such address, or none for this bridge. */
export function linkFor(client: string, bridge: Bridge): string | undefined {
	return Object.hasOwn(links, client) ? links[client]?.(bridge) : undefined
}
