import { expect, test } from 'vitest'
import { commandOf, type Installation } from './this-bridge.ts'

const installed: Omit<Installation, 'launcher'> = {
	node: ['/lib/node_modules/roundhouse-db/node_modules/@roundhouse/node-linux-x64/bin/node', '--disable-sigusr1'],
	version: '0.2.0',
	platform: 'linux',
}
const launcherIn = (folder: string) => `${folder}/roundhouse-db/host/bin/roundhouse.mjs`

test('a global installation is named by its path, which updates keep', () => {
	const launcher = launcherIn('/usr/local/lib/node_modules')
	expect(commandOf({ ...installed, launcher })).toEqual({
		command: installed.node[0],
		args: ['--disable-sigusr1', launcher, 'mcp'],
	})
})

test.each([
	'/home/ada/.npm/_npx/8f2a/node_modules',
	'/home/ada/.cache/pnpm/dlx/ab12/node_modules',
	'/home/ada/.local/share/pnpm/global/5/.pnpm/roundhouse-db@0.2.0/node_modules',
	'/tmp/xfs-12ab/dlx-99/node_modules',
	'/tmp/bunx-1000-roundhouse-db@latest/node_modules',
	'/tmp/.mount_RoundhAb12/resources',
])('what runs from %s is named by its version', folder => {
	const args = ['-y', 'roundhouse-db@0.2.0', 'mcp']
	expect(commandOf({ ...installed, launcher: launcherIn(folder) })).toEqual({ command: 'npx', args })
})

test('on Windows the shell starts npx', () => {
	const launcher =
		'C:\\Users\\ada\\AppData\\Local\\npm-cache\\_npx\\8f2a\\node_modules\\roundhouse-db\\host\\bin\\r.mjs'
	const args = ['/c', 'npx', '-y', 'roundhouse-db@0.2.0', 'mcp']
	expect(commandOf({ ...installed, launcher, platform: 'win32' })).toEqual({ command: 'cmd', args })
})

test('a checkout is named by its path, wherever it is', () => {
	const launcher = '/srv/_npx/host/bin/roundhouse.mjs'
	expect(commandOf({ ...installed, launcher, version: undefined }).args).toContain(launcher)
})
