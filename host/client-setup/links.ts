import { type Bridge, plain, serverDescription, serverName } from './clients.ts'

/**
 * Links that make a client add a server, from the documentation of each client. They contain the command of the bridge
 * and no secret: the token is in the handshake file, which only the bridge reads.
 */

const base64 = (text: string) => encodeURIComponent(Buffer.from(text).toString('base64'))

const links: Readonly<Record<string, (bridge: Bridge) => string | undefined>> = {
	cursor: bridge =>
		`cursor://anysphere.cursor-deeplink/mcp/install?name=${serverName}&config=${base64(JSON.stringify(plain(bridge)))}`,
	vscode: bridge => `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: serverName, ...plain(bridge) }))}`,
	'lm-studio': bridge => `lmstudio://add_mcp?name=${serverName}&config=${base64(JSON.stringify(plain(bridge)))}`,
	kiro: bridge =>
		`https://kiro.dev/launch/mcp/add?name=${serverName}&config=${encodeURIComponent(JSON.stringify(plain(bridge)))}`,
	// Goose asks the user for each variable; the link cannot contain values.
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

/** Returns the link, or `undefined` if the client has none, or none for this bridge. */
export function linkFor(client: string, bridge: Bridge): string | undefined {
	return Object.hasOwn(links, client) ? links[client]?.(bridge) : undefined
}
