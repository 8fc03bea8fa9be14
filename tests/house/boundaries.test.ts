import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cyclesIn, imports as everyImport, sources } from './sources.ts'

const sample = (...rooms: readonly string[]) => rooms.map(room => `plugins/search-engine/sample/${room}`)
const inMcp = (room: string) => `host/mcp/${room}`

/**
 * The features that AI clients use are built on all layers below, and on the framework that tools, resources and
 * prompts share.
 */
const exposed = (...siblings: readonly string[]): readonly string[] => [
	...['wire', 'protocol', 'access', 'consent', 'exposed/framework'].map(inMcp),
	...siblings.map(sibling => inMcp(`exposed/${sibling}`)),
	'base',
	'host/connections',
	'host/exports',
	'host/undo',
	'plugins/kit/api',
]

/** What every room of the window may use: the types of the host API, the kit's codecs, and the rooms at the bottom. */
const inWindow = (...rooms: readonly string[]): readonly string[] => [
	'host/api/api.ts',
	...['json', 'cell', 'cell-input', 'csv', 'cut-text', 'encoded', 'log-names', 'time-zone'].map(
		codec => `plugins/kit/api/${codec}.ts`,
	),
	...['words', 'controls', 'state', ...rooms].map(room => `ui/${room}`),
]

/**
 * The rooms that each room may import (ARCHITECTURE.md). A room that is not listed for another must not be imported by
 * it. `host` alone is the composition root: host.ts and services.ts.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
	// The product never imports these.
	scripts: [
		'base',
		'host/bin',
		'host/desktop/browser.ts',
		'host/plugin-loader/choose-release.ts',
		'plugins/postgres/copy-programs.ts',
		'plugins/postgres/servers/binaries.ts',
		'plugins/search-engine/specification/write-table.ts',
		'plugins/search-engine/test/engines/engine.ts',
		'registry/format',
		'registry/publisher',
	],
	'host/bin': [],
	'plugins/kit/api': ['plugins/kit/package.json'],
	'plugins/kit/conformance': ['plugins/kit/api'],
	'plugins/kit/wire': ['plugins/kit/api'],
	'plugins/kit/runtime': ['plugins/kit/api', 'plugins/kit/wire'],
	'plugins/kit/http': ['plugins/kit/api'],
	'plugins/kit/testing': ['plugins/kit/api'],
	'plugins/sql': ['plugins/kit/api'],
	'plugins/mariadb': ['plugins/kit/api', 'plugins/kit/conformance', 'plugins/sql', 'plugins/mariadb/servers'],
	'plugins/mariadb/servers': ['plugins/search-engine/certificates/make-certificate.ts', 'tests/support/kept-folder.ts'],
	'plugins/mariadb/test': ['plugins/kit/api', 'plugins/kit/testing', 'plugins/mariadb', 'plugins/mariadb/servers'],
	'plugins/postgres': [
		'plugins/kit/api',
		'plugins/sql',
		'plugins/kit/conformance',
		'plugins/postgres/sample/main.ts',
		'plugins/postgres/servers',
	],
	'plugins/postgres/sample': ['plugins/kit/api'],
	// For tests and the conformance file.
	'plugins/postgres/servers': [
		'plugins/search-engine/certificates/make-certificate.ts',
		'tests/support/kept-folder.ts',
	],
	'plugins/postgres/test': [
		'plugins/kit/api',
		'plugins/kit/testing',
		'plugins/sql',
		'plugins/postgres',
		'plugins/postgres/servers',
		'plugins/postgres/sample/messages.ts',
	],
	'plugins/search-engine': [
		'plugins/kit/api',
		'plugins/kit/http',
		'plugins/kit/conformance',
		'plugins/search-engine/sample/main.ts',
		'plugins/search-engine/certificates/tls-servers.ts',
	],
	// For tests and the conformance file.
	'plugins/search-engine/certificates': [],
	// A part of the build. The driver reads only its output.
	'plugins/search-engine/specification': [
		'plugins/search-engine/console/complete/specification-table.ts',
		'plugins/search-engine/generated-files.ts',
	],
	// The sample could be in a separate repository.
	'plugins/search-engine/sample': ['plugins/kit/api', ...sample('values', 'store', 'data', 'rest')],
	'plugins/search-engine/sample/data': ['plugins/kit/api', ...sample('values', 'store')],
	'plugins/search-engine/sample/values': ['plugins/kit/api'],
	'plugins/search-engine/sample/store': ['plugins/kit/api', ...sample('values')],
	'plugins/search-engine/sample/query': ['plugins/kit/api', ...sample('values', 'store')],
	'plugins/search-engine/sample/search': ['plugins/kit/api', ...sample('values', 'store', 'query')],
	'plugins/search-engine/sample/documents': ['plugins/kit/api', ...sample('values', 'store', 'query', 'search')],
	'plugins/search-engine/sample/rest': ['plugins/kit/api', ...sample('values', 'store', 'search', 'documents')],
	'plugins/search-engine/test': [
		'plugins/kit/api',
		'plugins/kit/testing',
		'plugins/search-engine',
		'plugins/search-engine/sample',
		'plugins/search-engine/specification/serverless-endpoints.ts',
	],
	'registry/format': ['base', 'plugins/kit/api'],
	'registry/client': ['base', 'registry/format', 'plugins/kit/api'],
	'registry/publisher': ['base', 'registry/format', 'plugins/kit/api'],
	// The window, bottom to top. No room above `state` uses the socket, and no room uses the host's code.
	'ui/words': [],
	// The engine's nouns are a context, so that no control relays them.
	'ui/controls': ['host/api/api.ts', 'ui/words', 'ui/state/engine.tsx'],
	'ui/api': ['host/api/api.ts', 'plugins/kit/api/answer-shape.ts', 'plugins/kit/api/encoded.ts'],
	'ui/state': ['host/api/api.ts', 'ui/api', 'ui/words'],
	'ui/cells': [
		'host/api/api.ts',
		'ui/words',
		...['json', 'cell', 'cell-input', 'csv', 'encoded'].map(codec => `plugins/kit/api/${codec}.ts`),
	],
	'ui/exports': inWindow('api'),
	'ui/json': inWindow(),
	'ui/results': inWindow('api', 'cells', 'json', 'grid', 'table/edit', 'table/rows', 'table/features/cell-feature.tsx'),
	// Pages for the chats of AI clients.
	'ui/apps': inWindow('cells', 'results'),
	'ui/row-panel': inWindow('json'),
	'ui/requests': inWindow('api'),
	'ui/console': [
		...inWindow('cells', 'api', 'exports', 'requests', 'results'),
		'plugins/kit/api/parameters.ts',
		'plugins/kit/api/effect.ts',
	],
	'ui/facts': inWindow(),
	'ui/diagram': inWindow('api'),
	'ui/table-form': inWindow('facts/action-run.tsx'),
	'ui/tables': inWindow(
		'cells',
		'grid',
		'facts/action-run.tsx',
		'connections/form-field.tsx',
		'connections/form-values.ts',
	),
	'ui/connections': [...inWindow(), 'plugins/kit/api/form.ts'],
	'ui/consent': [...inWindow('ai-access/token-words.ts'), 'plugins/kit/api/effect.ts'],
	'ui/ai-access': inWindow(),
	'ui/settings': inWindow('ai-access', 'connections/project-sheet.tsx', 'connections/project-save-sheet.tsx'),
	// The grid itself: no host, no engine, no edit. Its users register features.
	'ui/grid': [
		'host/api/api.ts',
		'plugins/kit/api/cell.ts',
		'plugins/kit/api/json.ts',
		'ui/cells',
		'ui/controls',
		'ui/words',
		'ui/state/appearance.ts',
		'ui/state/commands.tsx',
		'ui/state/task.ts',
	],
	'ui/table/rows': inWindow('api', 'cells', 'grid'),
	'ui/table/time': inWindow(),
	'ui/table/histogram': inWindow('table/time', 'table/filter/cell-filter.ts', 'table/filter/filters.ts'),
	'ui/table/query-bar': inWindow(),
	'ui/table/filter': inWindow('api', 'cells', 'grid/filter-command.ts', 'table/time', 'table/query-bar/bar-query.ts'),
	'ui/table/edit': inWindow(
		'api',
		'cells',
		'json/members.ts',
		'grid',
		'table/rows',
		'table/filter/filters.ts',
		'table/filter/suggest-values.ts',
	),
	'ui/table/export': inWindow('cells', 'exports', 'grid'),
	'ui/table/import': inWindow('api', 'cells'),
	'ui/table/similar': inWindow('api', 'cells', 'table/time', 'table/time-bar', 'table/filter', 'table/rows'),
	'ui/table/statistics': inWindow('api', 'cells', 'table/time', 'table/histogram', 'grid/filter-command.ts'),
	'ui/table/time-bar': inWindow('cells', 'table/time', 'table/histogram', 'table/filter', 'table/rows'),
	'ui/table/trace': inWindow('cells', 'table/histogram'),
	'ui/table/views': inWindow('grid', 'table/filter', 'table/time'),
	'ui/table/log': inWindow('cells', 'table/histogram'),
	// A tab with rows of a table, and its features.
	'ui/table': inWindow(
		'ai-access/undo-sheet.tsx',
		'cells',
		'json',
		'row-panel',
		'grid',
		'table/rows',
		'table/filter',
		'table/edit',
		'table/query-bar',
		'table/export',
		'table/import',
		'table/similar',
		'table/statistics',
		'table/time-bar',
		'table/histogram',
		'table/views',
		'table/log',
		'table/trace',
	),
	'ui/shell/tabs': inWindow('table', 'console', 'facts', 'tables', 'diagram', 'table-form'),
	'ui/shell': inWindow(
		'api',
		'shell/tabs',
		'table',
		'table/views',
		'table/edit/shared-saves.ts',
		'ai-access/undo-sheet.tsx',
		'console',
		'tables',
		'table-form',
		'requests',
		'connections',
		'consent',
		'settings',
		'exports/interrupted.ts',
	),
	// A fake host for component tests. The product never imports it.
	'ui/testing': [...inWindow('api', 'shell', 'styles/main.css'), 'plugins/kit/api/manifest.ts'],
	ui: inWindow('api', 'shell'),
	base: ['plugins/kit/api'],
	'host/activity': ['base', 'plugins/kit/api'],
	'host/client-setup': ['base'],
	'host/exports': ['base'],
	'host/imports': ['base', 'plugins/kit/api'],
	'host/network': ['base', 'plugins/kit/api'],
	'host/policy': ['base'],
	'host/driver-runtime': ['base', 'plugins/kit/api', 'plugins/kit/wire'],
	// The runner of the conformance kit, above the rooms that it runs drivers with.
	'host/driver-check': [
		'base',
		'host/network',
		'host/driver-runtime',
		'host/connections',
		'host/plugin-loader/unpack.ts',
		'host/mcp/exposed/tools/cost.ts',
		'registry/format',
		'registry/publisher',
		'plugins/kit/api',
		'plugins/kit/wire',
		'plugins/kit/conformance',
		'plugins/kit/runtime/capabilities.ts',
		'plugins/kit/runtime/end-with-host.ts',
	],
	'host/connections': [
		'base',
		'host/network',
		'host/driver-runtime',
		'host/plugin-loader',
		'plugins/kit/api',
		'plugins/kit/wire',
	],
	'host/undo': ['base', 'host/connections', 'plugins/kit/api'],
	'host/plugin-loader': [
		'base',
		'host/policy',
		'host/driver-runtime',
		'registry/client',
		'registry/format',
		'plugins/kit/api',
	],
	// The layers of the MCP endpoint, bottom to top. Transport, bridge and audit are beside them.
	'host/mcp/wire': [],
	'host/mcp/bridge': ['base', 'host/mcp/wire', 'plugins/kit/api/json.ts'],
	'host/mcp/protocol': ['base', 'host/mcp/wire', 'plugins/kit/api', 'plugins/kit/wire/json-shape.ts'],
	'host/mcp/access': [
		'base',
		'host/connections',
		'host/driver-runtime/driver-calls.ts',
		'host/driver-runtime/reported-error.ts',
		'host/undo/document.ts',
		'host/mcp/wire',
		'host/mcp/protocol',
		'plugins/kit/api',
		'plugins/kit/wire/json-shape.ts',
		'plugins/kit/wire/methods.ts',
	],
	'host/mcp/consent': [
		'base/atomic-file.ts',
		'base/sealing.ts',
		'host/connections',
		'host/mcp/wire',
		'host/mcp/protocol',
		'host/mcp/access',
		'plugins/kit/api',
	],
	'host/mcp/exposed/framework': [
		'host/mcp/wire',
		'host/mcp/protocol',
		'host/mcp/access',
		'host/mcp/consent',
		'base',
		'host/connections',
		'host/exports',
		'host/undo',
		'host/driver-runtime',
		'plugins/kit/api',
	],
	'host/mcp/exposed/connections': exposed(),
	'host/mcp/exposed/apps': exposed(),
	'host/mcp/exposed/tools': exposed('connections', 'apps', 'resources'),
	'host/mcp/exposed/resources': exposed('connections', 'apps'),
	'host/mcp/exposed/prompts': exposed('connections'),
	'host/mcp/exposed/completion': exposed('connections', 'resources', 'prompts'),
	'host/mcp/exposed/subscriptions': exposed('connections', 'resources'),
	'host/mcp/exposed': exposed('apps', 'tools', 'resources', 'prompts', 'completion', 'subscriptions'),
	'host/mcp/transport': ['host/mcp/wire', 'host/mcp/protocol'],
	'host/mcp/audit': [
		'host/activity',
		'host/mcp/wire',
		'host/mcp/protocol',
		'host/mcp/exposed/resources/uri.ts',
		'plugins/kit/api',
	],
	'host/mcp': [
		...['wire', 'protocol', 'access', 'consent', 'exposed', 'exposed/framework', 'transport', 'audit'].map(inMcp),
		'host/mcp/exposed/tools/core-tools.ts',
		'base',
		'host/connections',
		'host/exports',
		'host/undo',
		'host/activity',
		'plugins/kit/api',
	],
	'host/requests': ['base', 'plugins/kit/api'],
	'host/api': [
		'host/requests',
		'host/exports',
		'host/imports',
		'host/undo',
		'base',
		'host/network/proxy.ts',
		'host/network/local-port.ts',
		'host/network/ssh/tunnels.ts',
		'host/network/ssh/config-names.ts',
		'host/connections',
		'host/driver-runtime',
		'host/plugin-loader',
		'host/activity',
		'host/client-setup',
		'host/mcp/index.ts',
		'plugins/kit/api',
		'plugins/kit/wire',
	],
	'host/ui-server': ['base', 'host/connections', 'host/api'],
	host: [
		'base',
		'host/policy',
		'host/network/proxied-agent.ts',
		'host/network/proxy.ts',
		'host/network/ssh/tunnels.ts',
		'host/connections',
		'host/exports',
		'host/undo',
		'host/driver-runtime',
		'host/plugin-loader',
		'host/activity',
		'host/client-setup',
		'host/requests',
		'host/mcp/index.ts',
		'host/api',
		'host/ui-server',
		'plugins/kit/api',
		'plugins/kit/wire',
	],
	'host/desktop': ['base', 'host/api', 'host/ui-server'],
	'host/commands': [
		'host',
		'base',
		'host/driver-check',
		'host/policy',
		'host/network/proxied-agent.ts',
		'host/network/ssh/command.ts',
		'host/network/ssh/ssh-setting.ts',
		'host/network/ssh/tunnel.ts',
		'host/connections',
		'host/plugin-loader',
		'host/mcp/index.ts',
		'host/mcp/access/scopes.ts',
		'host/mcp/bridge/index.ts',
		'host/activity',
		'host/client-setup',
		'host/api',
		'host/desktop',
		'registry/client',
		'registry/format',
		'registry/publisher',
		'plugins/kit/conformance',
		'plugins/kit/api',
		'plugins/kit/wire',
	],
}

/** Longest name first, so that an inner room is found before the room around it. */
const rooms = Object.keys(mayImport).sort((a, b) => b.length - a.length)
/** The modules that every driver may import. */
const inDriver: readonly string[] = ['api', 'http', 'conformance'].map(room => `plugins/kit/${room}`)
/** A driver that the table does not name is a separate room. */
const newDriver = /^plugins\/(?!kit\/|search-engine\/)[^/]+/
const roomOf = (path: string) =>
	rooms.find(room => path === room || path.startsWith(`${room}/`)) ?? newDriver.exec(path)?.[0]
const files = sources.filter(file => !file.startsWith('tests/') && !/\.test\.tsx?$/.test(file))
const imports = everyImport.filter(({ file }) => files.includes(file))

test('every room imports only the rooms that it may import', () => {
	const strays = imports.filter(({ file, target }) => {
		const [from, to] = [roomOf(file), roomOf(target)]
		if (!from || from === to) return false
		return !(mayImport[from] ?? inDriver).some(allowed => allowed === to || target === allowed)
	})
	expect(strays.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
})

test('no rooms import each other in a circle', () => {
	const targets = new Map<string, Set<string>>()
	for (const { file, target } of imports) {
		const [from, to] = [roomOf(file), roomOf(target)]
		if (from && to && from !== to) targets.set(from, (targets.get(from) ?? new Set()).add(to))
	}
	expect(cyclesIn(targets)).toEqual([])
})

test('every source file is in a room', () => {
	expect(files.filter(file => !roomOf(file))).toEqual([])
})

test('only its main file imports Electron', () => {
	const importers = files.filter(file => /from 'electron'/.test(readFileSync(file, 'utf8')))
	expect(importers).toEqual(['host/desktop/electron-main.ts'])
})
