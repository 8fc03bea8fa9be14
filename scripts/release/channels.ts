import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inCheckout } from '../layout.ts'
import type { ReleaseConfig } from './config.ts'
import { filesBelow } from './tarball.ts'

/** Descriptions of the release for the catalogues of other projects, and its checksums. */

/** Writes `server.json` for the registry of MCP servers. @returns its name */
export async function renderServerJson({ version }: ReleaseConfig, out: string): Promise<string> {
	const server = JSON.parse(await readFile(inCheckout('server.json'), 'utf8'))
	const packages = server.packages.map((pack: object) => ({ ...pack, version }))
	await writeFile(join(out, 'server.json'), `${JSON.stringify({ ...server, version, packages }, undefined, 2)}\n`)
	return 'server.json'
}

/** The signed installers that the catalogues name. */
const installers = (version: string) => ({
	macArm: `Roundhouse-${version}-arm64.dmg`,
	macIntel: `Roundhouse-${version}-x64.dmg`,
	windows: `Roundhouse-Setup-${version}.exe`,
})

/**
 * Writes the Homebrew cask and the winget manifests. They name the digests of the installers, so they are rendered after
 * those were signed.
 * @param folder the signed installers
 * @returns the files below `out`
 */
export async function renderCatalogues(config: ReleaseConfig, folder: string, out: string): Promise<readonly string[]> {
	const { version, downloads } = config
	const names = installers(version)
	const digest = async (name: string) =>
		createHash('sha256')
			.update(await readFile(join(folder, name)))
			.digest('hex')
	const urlOf = (name: string) => new URL(`${version}/${name}`, downloads).href
	const files: Record<string, string> = {
		'homebrew/roundhouse.rb': caskOf(config, { arm: await digest(names.macArm), intel: await digest(names.macIntel) }),
		...wingetOf(config, { url: urlOf(names.windows), sha256: (await digest(names.windows)).toUpperCase() }),
	}
	for (const [name, text] of Object.entries(files)) {
		await mkdir(join(out, dirname(name)), { recursive: true })
		await writeFile(join(out, name), text)
	}
	return Object.keys(files)
}

function caskOf(
	{ version, downloads }: ReleaseConfig,
	{ arm, intel }: { readonly arm: string; readonly intel: string },
): string {
	return `cask "roundhouse" do
  arch arm: "arm64", intel: "x64"

  version "${version}"
  sha256 arm:   "${arm}",
         intel: "${intel}"

  url "${new URL('#{version}', downloads).href.replace('%23', '#').replace('%7B', '{').replace('%7D', '}')}/Roundhouse-#{version}-#{arch}.dmg"
  name "Roundhouse"
  desc "Database client whose drivers are plugins, for people and AI clients"
  homepage "${downloads}"

  depends_on macos: ">= :ventura"

  app "Roundhouse.app"

  zap trash: [
    "~/Library/Application Support/Roundhouse",
    "~/Library/Caches/Roundhouse",
  ]
end
`
}

function wingetOf(
	{ version, downloads }: ReleaseConfig,
	installer: { readonly url: string; readonly sha256: string },
): Readonly<Record<string, string>> {
	const common = `PackageIdentifier: Roundhouse.Roundhouse\nPackageVersion: ${version}\n`
	const end = (type: string) => `ManifestType: ${type}\nManifestVersion: 1.10.0\n`
	const name = (suffix: string) => `winget/Roundhouse.Roundhouse${suffix}.yaml`
	return {
		[name('')]: `${common}DefaultLocale: en-US\n${end('version')}`,
		[name('.locale.en-US')]:
			`${common}PackageLocale: en-US\nPublisher: Roundhouse\nPackageName: Roundhouse\nPackageUrl: ${downloads}\nLicense: MIT\n` +
			`ShortDescription: Database client whose drivers are plugins, for people and AI clients\n${end('defaultLocale')}`,
		[name('.installer')]:
			`${common}InstallerType: nullsoft\nScope: user\nInstallModes:\n- interactive\n- silent\nInstallers:\n- Architecture: x64\n` +
			`  InstallerUrl: ${installer.url}\n  InstallerSha256: ${installer.sha256}\n${end('installer')}`,
	}
}

/** Writes the SHA-256 of every file in `out`, in the format of `sha256sum`. */
export async function writeChecksums(out: string): Promise<void> {
	const lines = await Promise.all(
		(await filesBelow(out)).map(async name => {
			const digest = createHash('sha256').update(await readFile(join(out, name)))
			return `${digest.digest('hex')}  ${name}\n`
		}),
	)
	await writeFile(join(out, 'SHA256SUMS'), lines.join(''))
}
