import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { toolGroups } from '@roundhouse/kit/tool-groups'
import { expect, test } from 'vitest'
import { aiClients } from '../../host/client-setup/clients.ts'
import { costOf } from '../../host/mcp/exposed/tools/cost.ts'
import { overHttp } from '../support/clients.ts'
import { Roundhouse } from '../support/roundhouse.ts'

/**
 * docs/ai-clients.md shows what the endpoint reports with the search-engine driver installed. `npx vitest run
 * tests/agents --update` writes it again.
 */

interface Tool {
	readonly name: string
	readonly description?: string | undefined
	readonly inputSchema: object
	readonly annotations?:
		| { readonly readOnlyHint?: boolean | undefined; readonly destructiveHint?: boolean | undefined }
		| undefined
}

// Both values are JSON of a tool.
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
	return annotations.destructiveHint ? 'changes what is there' : 'adds'
}

function sectionOf(tool: Tool): string {
	// The schema of a tool is JSON.
	const { properties, required } = tool.inputSchema as JsonObject
	const needed = new Set(Array.isArray(required) ? required : [])
	const lines = Object.entries(objectOf(properties)).map(([name, argument]) => {
		const schema = objectOf(argument)
		const more = [
			needed.has(name) && 'needed',
			schema.default !== undefined && `\`${JSON.stringify(schema.default)}\` if left out`,
		].filter(Boolean)
		const words = [String(schema.description ?? ''), ...more].filter(text => text !== '').join('; ')
		return `| \`${name}\` | ${escaped(typeOf(schema))} | ${escaped(words)} |`
	})
	const table = lines.length > 0 ? ['', '| Argument | Takes | |', '| - | - | - |', ...lines] : []
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
	const begins = await roundhouse.addToken('full')
	const { mcp } = await roundhouse.serve()
	const client = await overHttp(mcp.url, token)
	const { tools } = await client.listTools()
	const beginner = await overHttp(mcp.url, begins)
	const shown = new Set((await beginner.listTools()).tools.map(({ name }) => name))
	await beginner.close()
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
		'What a client is shown, with the search-engine driver installed. Tokens are a quarter of the characters of name, description and arguments, which is what a model reads of a tool. A token sees those tools that its scopes allow, of the groups that it is shown. `tests/agents` writes this page from the code.',
		'',
		'## Connecting',
		'',
		...aiClients({ home: '~', platform: 'linux', env: {} }).map(
			({ id, name, path }) => `- ${name}: \`roundhouse mcp install ${id}\` (\`${path}\`)`,
		),
		'- Claude Desktop, by a click: `npm run bundle` packs `dist/roundhouse.mcpb`, the bridge alone.',
		'- JetBrains AI Assistant: paste what `roundhouse mcp install generic` prints under Settings, Tools, AI Assistant, Model Context Protocol.',
		'- Any other: `roundhouse mcp install generic` prints what to paste.',
		'',
		`## Tools from the start: ${first.length}, ${total(first)} tokens`,
		'',
		`The groups \`core\` and \`write\`. Of these ${own.length} are the core's own (${total(own)} tokens).`,
		'',
		first.map(sectionOf).join('\n\n'),
		'',
		`## Tools of other groups: ${others.length}, ${total(others)} tokens`,
		'',
		'The groups `diagnose` and `driver`, for a token that the person has them shown to: in Settings, AI access, or by `roundhouse token groups`.',
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
