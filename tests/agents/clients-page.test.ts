import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { toolGroups } from '@roundhouse/kit/tool-groups'
import { expect, test } from 'vitest'
import { aiClients } from '../../host/client-setup/clients.ts'
import { costOf } from '../../host/mcp/exposed/tools/cost.ts'
import { overHttp } from '../support/clients.ts'
import { Roundhouse } from '../support/roundhouse.ts'

/**
 * docs/ai-clients.md shows what the endpoint reports with the search-engine driver installed. To regenerate the page,
 * run `npx vitest run tests/agents --update`.
 */

interface Tool {
	readonly name: string
	readonly description?: string | undefined
	readonly inputSchema: object
	readonly annotations?:
		| { readonly readOnlyHint?: boolean | undefined; readonly destructiveHint?: boolean | undefined }
		| undefined
}

// Both types describe the JSON of a tool.
const tokensOf = (tool: Tool) => costOf(tool as Parameters<typeof costOf>[0])

const escaped = (text: string) => text.replaceAll('|', '\\|')

function typeOf(schema: JsonObject): string {
	if (Array.isArray(schema.enum)) return schema.enum.map(value => `\`${String(value)}\``).join(', ')
	if (Array.isArray(schema.anyOf)) return schema.anyOf.map(option => typeOf(objectOf(option))).join(' or ')
	return schema.type === 'array' ? `list of ${typeOf(objectOf(schema.items))}` : String(schema.type ?? 'any')
}

function objectOf(value: Json | undefined): JsonObject {
	return isJsonObject(value) ? value : {}
}

function hintOf({ annotations = {} }: Tool): string {
	if (annotations.readOnlyHint) return 'reads'
	return annotations.destructiveHint ? 'changes existing data' : 'adds data'
}

function sectionOf(tool: Tool): string {
	// The schema of a tool is JSON.
	const { properties, required } = tool.inputSchema as JsonObject
	const needed = new Set(Array.isArray(required) ? required : [])
	const lines = Object.entries(objectOf(properties)).map(([name, argument]) => {
		const schema = objectOf(argument)
		const more = [
			needed.has(name) && 'required',
			schema.default !== undefined && `\`${JSON.stringify(schema.default)}\` is the default`,
		].filter(Boolean)
		const words = [String(schema.description ?? ''), ...more].filter(text => text !== '').join('; ')
		return `| \`${name}\` | ${escaped(typeOf(schema))} | ${escaped(words)} |`
	})
	const table = lines.length > 0 ? ['', '| Argument | Type | Description |', '| - | - | - |', ...lines] : []
	return [
		`### ${tool.name}`,
		'',
		`${tool.description ?? ''} (${hintOf(tool)}; ${tokensOf(tool)} tokens)`,
		...table,
	].join('\n')
}

test('docs/ai-clients.md matches the code', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.install()
	const token = await roundhouse.addToken('full', toolGroups)
	const defaultToken = await roundhouse.addToken('full')
	const { mcp } = await roundhouse.serve()
	const client = await overHttp(mcp.url, token)
	const { tools } = await client.listTools()
	const defaultClient = await overHttp(mcp.url, defaultToken)
	const shown = new Set((await defaultClient.listTools()).tools.map(({ name }) => name))
	await defaultClient.close()
	const { prompts } = await client.listPrompts()
	const { resourceTemplates } = await client.listResourceTemplates()
	await client.close()
	const first = tools.filter(({ name }) => shown.has(name))
	const own = first.filter(({ name }) => !name.startsWith('search_engine_'))
	const others = tools.filter(({ name }) => !shown.has(name))
	const total = (all: readonly Tool[]) => all.reduce((sum, tool) => sum + tokensOf(tool), 0).toLocaleString('en')
	const page = [
		'# For AI clients',
		'',
		"This page lists what a client sees if the search-engine driver is installed. The token count of a tool is estimated: the length of its name, description and arguments in characters, divided by four. An access token gives access to a tool if the token's scopes allow the tool and the tool's group is enabled for the token. `tests/agents` writes this page from the code.",
		'',
		'## Connecting',
		'',
		...aiClients({ home: '~', platform: 'linux', env: {} }).map(
			({ id, name, path }) => `- ${name}: \`roundhouse mcp install ${id}\` (\`${path}\`)`,
		),
		'- Claude Desktop, with one click: `npm run bundle` creates `dist/roundhouse.mcpb`, which contains only the bridge.',
		'- JetBrains AI Assistant: run `roundhouse mcp install generic`. Paste the output in Settings > Tools > AI Assistant > Model Context Protocol.',
		'- Other clients: run `roundhouse mcp install generic`, and paste the output into the configuration of the client.',
		'',
		`## Tools available by default: ${first.length}, ${total(first)} tokens`,
		'',
		`Tools of the groups \`core\` and \`write\`. ${own.length} of these tools belong to Roundhouse itself (${total(own)} tokens).`,
		'',
		first.map(sectionOf).join('\n\n'),
		'',
		`## Tools of other groups: ${others.length}, ${total(others)} tokens`,
		'',
		'Tools of the groups `diagnose` and `driver`. To enable a group for a token, use Settings > AI access or `roundhouse token groups`.',
		'',
		others.map(sectionOf).join('\n\n'),
		'',
		'## Prompts',
		'',
		...prompts.map(({ name, description }) => `- \`${name}\`: ${description ?? ''}`),
		'',
		'## Resources',
		'',
		...resourceTemplates.map(({ uriTemplate, description, name }) => `- \`${uriTemplate}\`: ${description ?? name}`),
		'',
	].join('\n')
	await expect(page).toMatchFileSnapshot('../../docs/ai-clients.md')
})
