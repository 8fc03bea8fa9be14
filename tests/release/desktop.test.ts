import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagedProgram } from '../../host/desktop/packaged.ts'
import { inCheckout } from '../../scripts/layout.ts'
import { readConfig } from '../../scripts/release/config.ts'
import { installPacker } from '../../scripts/release/desktop.ts'
import { builderConfig, entitlements } from '../../scripts/release/desktop-config.ts'
import { standInElectron } from './electron-stand-in.ts'
import { type Rendered, render } from './rendered.ts'

/**
 * The desktop application, packed for Linux around a stand-in for Electron's binary. The packer is installed for it, so it
 * runs in CI and with `npm run test:release`. What needs the real binary or a signature is in docs/releasing.md.
 */

const isWanted = process.env.CI === 'true' || process.env.ROUNDHOUSE_WALK === '1'

describe.runIf(isWanted && process.platform === 'linux')('the desktop application', { timeout: 300_000 }, () => {
	let root: string
	let packer: string
	let releases: readonly Rendered[] = []
	let packed: string

	beforeAll(async () => {
		root = await mkdtemp(join(tmpdir(), 'roundhouse-desktop-'))
		packer = await installPacker()
		const electron = join(root, 'electron')
		await standInElectron(electron, packer)
		const args = ['--electron', electron, '--target', 'linux dir']
		releases = [await render({ args }), await render({ args, umask: '077', env: { TZ: 'Asia/Tokyo' } })]
		packed = unpackedOf(releases[0])
	}, 300_000)
	afterAll(async () => {
		for (const release of releases) await release[Symbol.asyncDispose]()
		await rm(root, { recursive: true, force: true })
	})

	const unpackedOf = (release: Rendered | undefined) => join(release?.folder ?? '', 'desktop', 'out', 'linux-unpacked')
	const tool = (name: string) => import(createRequire(pathToFileURL(join(packer, 'package.json'))).resolve(name))

	test('two packings have the same files', async () => {
		const [first, second] = await Promise.all(releases.map(release => digests(unpackedOf(release))))
		expect(first?.size).toBeGreaterThan(100)
		expect(second).toEqual(first)
	})

	test('its fuses allow no other use of the binary, and only its own archive', async () => {
		const { FuseV1Options, getCurrentFuseWire } = await tool('@electron/fuses')
		const wire = await getCurrentFuseWire(join(packed, 'roundhouse'))
		const [on, off] = ['1'.charCodeAt(0), '0'.charCodeAt(0)]
		expect(wire[FuseV1Options.RunAsNode]).toBe(off)
		expect(wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable]).toBe(off)
		expect(wire[FuseV1Options.EnableNodeCliInspectArguments]).toBe(off)
		expect(wire[FuseV1Options.EnableCookieEncryption]).toBe(on)
		expect(wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]).toBe(on)
		expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe(on)
		expect(wire[FuseV1Options.GrantFileProtocolExtraPrivileges]).toBe(off)
	})

	test('its archive has the shell alone; host, window, driver, Node and modules are beside it', async () => {
		const asar = await tool('@electron/asar')
		const archive = join(packed, 'resources', 'app.asar')
		expect(asar.listPackage(archive).sort()).toEqual(['/electron.js', '/package.json'])
		const manifest = JSON.parse(asar.extractFile(archive, 'package.json').toString())
		expect(manifest).toMatchObject({ main: 'electron.js', desktopName: 'roundhouse.desktop' })
		expect(asar.extractFile(archive, 'electron.js').toString()).not.toContain(inCheckout())
		for (const path of [
			'roundhouse/dist/ui/index.html',
			'roundhouse/dist/release.json',
			'roundhouse/dist/drivers/roundhouse/search-engine',
			'node_modules/fs-native-extensions/package.json',
		])
			expect(existsSync(join(packed, 'resources', path)), path).toBe(true)
	})

	test('the packaged host starts with the packaged Node, and serves the window', async () => {
		const home = join(root, 'home')
		const { node, launcher } = packagedProgram(join(packed, 'resources'), 'linux')
		const env = { HOME: home, ROUNDHOUSE_SECRETS: 'file', PATH: '/usr/bin:/bin' }
		const words = ['--disable-sigusr1', launcher]
		const host = spawn(node, [...words, 'serve', '--mcp-port', '0', '--ui-port', '0'], { env, cwd: root })
		try {
			const [line] = await once(host.stdout, 'data')
			expect(JSON.parse(String(line))).toMatchObject({ ready: true })
			const open = spawn(node, [...words, 'open', '--json'], { env, cwd: root })
			const [entry] = await once(open.stdout, 'data')
			const { fallbackUrl } = JSON.parse(String(entry))
			const [cookie = ''] = (await fetch(fallbackUrl)).headers.get('set-cookie')?.split(';') ?? []
			const page = await fetch(new URL('./', fallbackUrl), { headers: { cookie } })
			expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Roundhouse')])
		} finally {
			host.kill()
			await once(host, 'exit')
		}
	})

	test('the settings name the scheme, the signature and the rights of each system', async () => {
		const settings = builderConfig(await readConfig(), { version: '45.4.1', folder: '/electron', isSigned: true })
		expect(settings.protocols).toEqual([{ name: 'Roundhouse', schemes: ['roundhouse'] }])
		expect(settings.mac).toMatchObject({ hardenedRuntime: true, notarize: true, target: ['dmg', 'zip'] })
		expect(settings.nsis).toMatchObject({ perMachine: false, deleteAppDataOnUninstall: false })
		expect(settings.linux).toMatchObject({ target: ['deb', 'AppImage'], category: 'Development' })
		expect(entitlements).not.toContain('com.apple.security.get-task-allow')
	})
})

/** Returns the digest of each file below a folder. */
async function digests(folder: string): Promise<ReadonlyMap<string, string>> {
	const found = new Map<string, string>()
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) continue
		const path = join(entry.parentPath, entry.name)
		found.set(
			relative(folder, path),
			createHash('sha256')
				.update(await readFile(path))
				.digest('hex'),
		)
	}
	return found
}
