import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { renderCatalogues } from '../../scripts/release/channels.ts'
import { type ReleaseConfig, readConfig } from '../../scripts/release/config.ts'

/** The Homebrew cask and the winget manifests of a release. */

let folder: string
let config: ReleaseConfig
const installers = new Map<string, string>()
const read = (name: string) => readFile(join(folder, 'out', name), 'utf8')

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-catalogues-'))
	config = { ...(await readConfig()), downloads: 'https://downloads.test/roundhouse/' }
	for (const name of ['arm64.dmg', 'x64.dmg', 'Setup.exe']) {
		const file =
			name === 'Setup.exe' ? `Roundhouse-Setup-${config.version}.exe` : `Roundhouse-${config.version}-${name}`
		await writeFile(join(folder, file), name)
		installers.set(name, createHash('sha256').update(name).digest('hex'))
	}
	await renderCatalogues(config, folder, join(folder, 'out'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the cask installs the application for both processors, and removes what it wrote', async () => {
	const cask = await read('homebrew/roundhouse.rb')
	const value = (pattern: RegExp) => pattern.exec(cask)?.[1]
	expect(value(/^ {2}version "(.*)"$/m)).toBe(config.version)
	expect(value(/sha256 arm: {3}"(.*)",$/m)).toBe(installers.get('arm64.dmg'))
	expect(value(/ {9}intel: "(.*)"$/m)).toBe(installers.get('x64.dmg'))
	const url = value(/^ {2}url "(.*)"$/m)
	const words: Readonly<Record<string, string>> = { version: config.version, arch: 'arm64' }
	const filled = url?.replace(/#\{(\w+)\}/g, (_, name) => words[name] ?? '')
	expect(filled).toBe(`https://downloads.test/roundhouse/${config.version}/Roundhouse-${config.version}-arm64.dmg`)
	// The name that the packer gives the application (desktop.test.ts).
	expect(value(/^ {2}app "(.*)"$/m)).toBe('Roundhouse.app')
	expect(cask).toContain('~/Library/Application Support/Roundhouse')
})

test('the winget manifests name one version, and an installer that needs no administrator', async () => {
	const manifest = async (suffix: string) => parse(await read(`winget/Roundhouse.Roundhouse${suffix}.yaml`))
	const [version, locale, installer] = await Promise.all(['', '.locale.en-US', '.installer'].map(manifest))
	for (const part of [version, locale, installer])
		expect(part).toMatchObject({ PackageIdentifier: 'Roundhouse.Roundhouse', PackageVersion: config.version })
	expect([version, locale, installer].map(part => part.ManifestType)).toEqual(['version', 'defaultLocale', 'installer'])
	expect(version.DefaultLocale).toBe(locale.PackageLocale)
	expect(installer).toMatchObject({ InstallerType: 'nullsoft', Scope: 'user' })
	expect(installer.Installers).toEqual([
		{
			Architecture: 'x64',
			InstallerUrl: `https://downloads.test/roundhouse/${config.version}/Roundhouse-Setup-${config.version}.exe`,
			InstallerSha256: installers.get('Setup.exe')?.toUpperCase(),
		},
	])
})
