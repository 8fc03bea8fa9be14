import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inCheckout } from '../layout.ts'
import { run } from '../run.ts'

/** Renders the package of the kit: JavaScript with declarations, and nothing of what only the host uses. */

const kit = (...path: string[]) => inCheckout('plugins', 'kit', ...path)

interface KitPackage {
	readonly name: string
	readonly version: string
	readonly description: string
	readonly license: string
	readonly dependencies: Readonly<Record<string, string>>
	/** What driver authors import, in the rendered package. `exports` also has what the host imports. */
	readonly publishConfig: { readonly exports: Readonly<Record<string, string>> }
}

export async function readKitPackage(): Promise<KitPackage> {
	return JSON.parse(await readFile(kit('package.json'), 'utf8'))
}

/** Writes the public modules and what they import into a folder, as JavaScript and declarations. */
export async function emitKit(folder: string): Promise<void> {
	const { publishConfig } = await readKitPackage()
	const staging = await mkdtemp(join(tmpdir(), 'roundhouse-kit-'))
	try {
		const project = join(staging, 'tsconfig.json')
		const config = {
			extends: inCheckout('tsconfig.json'),
			compilerOptions: {
				noEmit: false,
				allowJs: false,
				checkJs: false,
				declaration: true,
				rewriteRelativeImportExtensions: true,
				rootDir: kit(),
				outDir: folder,
				typeRoots: [inCheckout('node_modules/@types')],
			},
			include: [],
			files: Object.values(publishConfig.exports).map(path => kit(path.replace(/\.js$/, '.ts'))),
		}
		await writeFile(project, JSON.stringify(config))
		if ((await run('tsc', ['-p', project])) !== 0) throw new Error('The kit does not compile.')
	} finally {
		await rm(staging, { recursive: true, force: true })
	}
}

/** Replaces a folder with the package, ready for `npm pack`. Its bytes depend on the sources alone. */
async function renderKit(folder: string): Promise<void> {
	await rm(folder, { recursive: true, force: true })
	await mkdir(folder, { recursive: true })
	await emitKit(folder)
	const { name, version, description, license, dependencies, publishConfig } = await readKitPackage()
	const { devDependencies } = JSON.parse(await readFile(inCheckout('package.json'), 'utf8'))
	const packageJson = {
		name,
		version,
		description,
		license,
		type: 'module',
		exports: Object.fromEntries(
			Object.entries(publishConfig.exports).map(([entry, path]) => [
				entry,
				{ types: path.replace(/\.js$/, '.d.ts'), default: path },
			]),
		),
		// The declarations name `Socket` and `Buffer`.
		dependencies: { '@types/node': `^${devDependencies['@types/node']}` },
		// `./http` takes the driver's own undici, whose types must be the same.
		peerDependencies: { undici: `^${dependencies.undici}` },
		peerDependenciesMeta: { undici: { optional: true } },
	}
	await writeFile(join(folder, 'package.json'), `${JSON.stringify(packageJson, undefined, 2)}\n`)
	await copyFile(kit('README.md'), join(folder, 'README.md'))
	await copyFile(inCheckout('LICENSE'), join(folder, 'LICENSE'))
	// The mode of a new file follows the umask.
	for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
		await chmod(join(file.parentPath, file.name), file.isDirectory() ? 0o755 : 0o644)
}

/** Renders and packs. The tarball stands beside the folder. */
export async function packKit(folder: string): Promise<void> {
	await renderKit(folder)
	const code = await run('npm', ['pack', '--silent', '--pack-destination', dirname(folder), folder])
	if (code !== 0) throw new Error('npm pack failed.')
}
