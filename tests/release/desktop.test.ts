import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagedProgram } from '../../host/desktop/packaged.ts'
import { inCheckout } from '../../scripts/layout.ts'
import { readConfig } from '../../scripts/release/config.ts'
import { installPacker, packDesktop } from '../../scripts/release/desktop.ts'
import { builderConfig, entitlements } from '../../scripts/release/desktop-config.ts'
import { standInElectron } from './electron-stand-in.ts'
import { type Rendered, render } from './rendered.ts'

/**
 * The desktop application, packed for each system around a stand-in for Electron's binary. The packer is installed for it,
 * so it runs at a landing and with `npm run test:release`. What needs the real binary or a signature is in docs/releasing.md.
 */

describe.runIf(process.platform === 'linux')('the desktop application', () => {
	let root: string
	let packer: string
	let releases: readonly Rendered[] = []
	let packed: string

	beforeAll(async () => {
		root = await mkdtemp(join(tmpdir(), 'roundhouse-desktop-'))
		packer = await installPacker()
		const electron = join(root, 'electron')
		await standInElectron('linux', electron, packer)
		const args = ['--electron', electron, '--target', 'linux dir']
		releases = [await render({ args }), await render({ args, umask: '077', env: { TZ: 'Asia/Tokyo' } })]
		packed = unpackedOf(releases[0])
	})
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

	test('its fuses allow no other use of the binary, and only its own archive', () =>
		expectOwnUse(join(packed, 'roundhouse')))

	/** Expects the fuses of a program, or of an application of macOS. */
	async function expectOwnUse(program: string): Promise<void> {
		const { FuseV1Options, getCurrentFuseWire } = await tool('@electron/fuses')
		const wire = await getCurrentFuseWire(program)
		const [on, off] = ['1'.charCodeAt(0), '0'.charCodeAt(0)]
		expect(wire[FuseV1Options.RunAsNode]).toBe(off)
		expect(wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable]).toBe(off)
		expect(wire[FuseV1Options.EnableNodeCliInspectArguments]).toBe(off)
		expect(wire[FuseV1Options.EnableCookieEncryption]).toBe(on)
		expect(wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]).toBe(on)
		expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe(on)
		expect(wire[FuseV1Options.GrantFileProtocolExtraPrivileges]).toBe(off)
	}

	test('its archive has the shell alone; host, window, driver, Node and modules are beside it', async () => {
		const asar = await tool('@electron/asar')
		const archive = join(packed, 'resources', 'app.asar')
		expect(asar.listPackage(archive).sort()).toEqual(['/electron.js', '/package.json'])
		const manifest = JSON.parse(asar.extractFile(archive, 'package.json').toString())
		expect(manifest).toMatchObject({ main: 'electron.js', desktopName: 'roundhouse.desktop' })
		expect(asar.extractFile(archive, 'electron.js').toString()).not.toContain(inCheckout())
		expectResources(join(packed, 'resources'))
	})

	function expectResources(resources: string): void {
		for (const path of [
			'roundhouse/dist/ui/index.html',
			'roundhouse/dist/release.json',
			'roundhouse/dist/drivers/roundhouse/search-engine',
			'node/LICENSE',
			'node_modules/fs-native-extensions/package.json',
		])
			expect(existsSync(join(resources, path)), path).toBe(true)
	}

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

	/** Packs the stage once more, for another system, with the Node of this one. @returns the folder of the application */
	async function packFor(system: 'mac' | 'win'): Promise<string> {
		const electron = join(root, system)
		await standInElectron(system, electron, packer)
		const stage = join(releases[0]?.folder ?? '', 'desktop')
		await repack(stage, { electronDist: electron, directories: { output: `out-${system}` } }, `${system} dir`)
		return join(stage, `out-${system}`, system === 'mac' ? 'mac' : 'win-unpacked')
	}

	/** Packs a stage with changed settings. */
	async function repack(stage: string, change: object, target: string): Promise<void> {
		const path = join(stage, 'builder.json')
		const text = await readFile(path, 'utf8')
		const settings = JSON.parse(text)
		const directories = { ...settings.directories, ...('directories' in change ? (change.directories as object) : {}) }
		await writeFile(path, JSON.stringify({ ...settings, ...change, directories }))
		try {
			packDesktop(packer, stage, [target])
		} finally {
			await writeFile(path, text)
		}
	}

	/** The hash that Electron compares before it reads an archive: of its header. */
	const headerHash = async (archive: string) =>
		createHash('sha256')
			.update((await tool('@electron/asar')).getRawHeader(archive).headerString)
			.digest('hex')

	test('for macOS its Info.plist names scheme, system and the hash of its archive; its fuses and resources are set', async () => {
		const app = join(await packFor('mac'), 'Roundhouse.app')
		const contents = join(app, 'Contents')
		const { default: plist } = await tool('plist')
		const info = plist.parse(await readFile(join(contents, 'Info.plist'), 'utf8'))
		expect(info).toMatchObject({
			CFBundleIdentifier: 'io.github.roundhouse.roundhouse',
			CFBundleExecutable: 'Roundhouse',
			CFBundleName: 'Roundhouse',
			CFBundleShortVersionString: releases[0]?.version,
			CFBundleURLTypes: [{ CFBundleURLSchemes: ['roundhouse'] }],
			LSApplicationCategoryType: 'public.app-category.developer-tools',
			LSMinimumSystemVersion: '13.0',
		})
		const hash = await headerHash(join(contents, 'Resources', 'app.asar'))
		expect(info.ElectronAsarIntegrity['Resources/app.asar']).toEqual({ algorithm: 'SHA256', hash })
		for (const helper of ['', ' (GPU)', ' (Plugin)', ' (Renderer)'])
			expect(existsSync(join(contents, 'Frameworks', `Roundhouse Helper${helper}.app`)), helper).toBe(true)
		expect((await readFile(join(contents, 'Resources', info.CFBundleIconFile))).subarray(0, 4).toString()).toBe('icns')
		await expectOwnUse(app)
		expectResources(join(contents, 'Resources'))
	})

	test('for Windows its program names the product and the hash of its archive; its fuses and resources are set', async () => {
		const app = await packFor('win')
		const program = join(app, 'Roundhouse.exe')
		const { NtExecutable, NtExecutableResource, Resource } = await tool('resedit')
		const { entries } = NtExecutableResource.from(NtExecutable.from(await readFile(program)))
		const [facts] = Resource.VersionInfo.fromEntries(entries)
		const [language] = facts.getAllLanguagesForStringValues()
		expect(facts.getStringValues(language)).toMatchObject({
			ProductName: 'Roundhouse',
			FileDescription: 'Roundhouse',
			FileVersion: releases[0]?.version,
		})
		expect(Resource.IconGroupEntry.fromEntries(entries).length).toBe(1)
		const { bin } = entries.find(({ id }: { id: unknown }) => id === 'ELECTRONASAR')
		const value = await headerHash(join(app, 'resources', 'app.asar'))
		const parts = JSON.parse(Buffer.from(bin).toString())
		expect(parts).toContainEqual({ file: 'resources\\app.asar', alg: 'SHA256', value })
		await expectOwnUse(program)
		expectResources(join(app, 'resources'))
	})

	test('the entry for desktops of Linux starts the program, takes links and belongs to its windows', async () => {
		const stage = join(releases[0]?.folder ?? '', 'desktop')
		// deb and AppImage, which contain it, need tools that electron-builder downloads. A hook asks the packer for it.
		const helper = createRequire(pathToFileURL(join(packer, 'package.json'))).resolve(
			'app-builder-lib/out/targets/LinuxTargetHelper.js',
		)
		await writeFile(
			join(stage, 'entry.cjs'),
			`const { LinuxTargetHelper } = require(${JSON.stringify(helper)})
			module.exports = async ({ packager, outDir }) => {
				const entry = await new LinuxTargetHelper(packager).computeDesktopEntry(packager.platformSpecificBuildOptions)
				require('node:fs').writeFileSync(require('node:path').join(outDir, 'roundhouse.desktop'), entry)
			}`,
		)
		const change = { afterPack: './entry.cjs', directories: { output: 'out-entry' } }
		await repack(stage, change, 'linux dir')
		const lines = (await readFile(join(stage, 'out-entry', 'roundhouse.desktop'), 'utf8')).split('\n')
		for (const line of [
			'[Desktop Entry]',
			'Name=Roundhouse',
			'Exec=/opt/Roundhouse/roundhouse %U',
			'Icon=roundhouse',
			'StartupWMClass=roundhouse',
			'MimeType=x-scheme-handler/roundhouse;',
			'Categories=Development;',
		])
			expect(lines).toContain(line)
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
