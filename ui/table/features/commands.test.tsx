import { render } from '@solidjs/testing-library'
import { expect, test } from 'vitest'
import { commonCommands, type GridCommand } from '../../grid/view/grid-commands.ts'
import { createResultFeature } from '../../results/result-feature.tsx'
import { CommandsProvider, createCommands } from '../../state/commands.tsx'
import { EngineProvider } from '../../state/engine.tsx'
import { HostProvider } from '../../state/host.tsx'
import { fakeManifest } from '../../testing/fake-engine.ts'
import { createTableFeatures } from './features.ts'

/** Anything that features read when they are made: each member and each answer is another one. */
const anything = new Proxy(() => {}, {
	get: (_, name) => (name === Symbol.toPrimitive ? () => 0 : name === Symbol.iterator ? () => [].values() : anything),
	apply: () => anything,
}) as never

function commandsOf(make: () => readonly GridCommand[]): readonly GridCommand[] {
	let made: readonly GridCommand[] = []
	const Probe = () => {
		made = make()
		return null
	}
	const engine = fakeManifest({ removesFields: true })
	render(() => (
		<HostProvider host={anything} preferences={anything} records={anything}>
			<CommandsProvider commands={createCommands()}>
				<EngineProvider engine={engine}>
					<Probe />
				</EngineProvider>
			</CommandsProvider>
		</HostProvider>
	))
	return made
}

const nouns = { row: { one: 'row', many: 'rows' }, column: { one: 'column', many: 'columns' } }
const common = () =>
	commonCommands({ columns: anything, place: anything, find: anything, nouns } as never, {
		fit: () => {},
		openMenu: () => {},
		openFind: () => {},
	})
const table = () => createTableFeatures({ tab: anything, table: anything }).all.flatMap(({ commands = [] }) => commands)
const result = () => createResultFeature(anything, anything).commands ?? []

test.each([
	['a table', table],
	['a result', result],
])('no two commands of %s share an id or a key', (_, make) => {
	const commands = commandsOf(() => [...common(), ...make()])
	const ids = commands.map(({ id }) => id)
	const keys = commands.flatMap(({ keys = [] }) => keys)
	expect(ids.length).toBeGreaterThan(20)
	expect(new Set(ids).size).toBe(ids.length)
	expect(new Set(keys).size).toBe(keys.length)
})

test('the keys of a table run its commands', () => {
	const commands = commandsOf(table)
	const of = (key: string) => commands.find(({ keys = [] }) => keys.includes(key))?.id.replace('grid.', '')
	expect(['Enter', 'F2', 'Space', 'Delete', 'Insert', 'Alt+Enter', 'Alt+Delete'].map(of)).toEqual([
		'edit',
		'edit',
		'openRow',
		'toggleDeleted',
		'insert',
		'openValue',
		'setNull',
	])
	expect(['Mod+Z', 'Mod+Y', 'Mod+S', 'Mod+D', 'Mod+G', 'Mod+Shift+C', 'Mod+Shift+S'].map(of)).toEqual([
		'undo',
		'redo',
		'save',
		'fillDown',
		'goToRow',
		'copyAs',
		'saveNow',
	])
})
