import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compile } from '../compile.ts'
import { inCheckout } from '../layout.ts'
import { run } from '../run.ts'

/** Renders the packages for authors of drivers: JavaScript with declarations, and nothing of what only the host uses. */

/** Their folders in `plugins`. The SQL layer imports the kit. */
export type AuthorPackage = 'kit' | 'sql'

interface PackageJson {
	readonly name: string
	readonly version: string
	readonly description: string
	readonly license: string
	readonly dependencies: Readonly<Record<string, string>>
	/** What driver authors import, in the rendered package. `exports` also has what this checkout imports. */
	readonly publishConfig: { readonly exports: Readonly<Record<string, string>> }
}

const placeOf = (id: AuthorPackage, ...path: string[]) => inCheckout('plugins', id, ...path)

export async function readAuthorPackage(id: AuthorPackage): Promise<PackageJson> {
	return JSON.parse(await readFile(placeOf(id, 'package.json'), 'utf8'))
}

const sourceOf = (path: string) => path.replace(/\.js$/, '.ts')
const declarationsOf = (path: string) => path.replace(/\.js$/, '.d.ts')

/**
 * Writes the public modules of a package and what they import into a folder, as JavaScript and declarations. @param kit
 * folder of the rendered kit, whose declarations the SQL layer is compiled against
 */
export async function emitPackage(id: AuthorPackage, folder: string, kit?: string): Promise<void> {
	const { publishConfig } = await readAuthorPackage(id)
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
				rootDir: placeOf(id),
				outDir: folder,
				typeRoots: [inCheckout('node_modules/@types')],
				...(kit !== undefined && { paths: await pathsTo(kit) }),
			},
			include: [],
			files: Object.values(publishConfig.exports).map(path => placeOf(id, sourceOf(path))),
		}
		await writeFile(project, JSON.stringify(config))
		if ((await compile(project)) !== 0) throw new Error(`The package ${id} does not compile.`)
	} finally {
		await rm(staging, { recursive: true, force: true })
	}
}

/** Where the compiler finds the modules of the rendered kit. */
async function pathsTo(kit: string): Promise<Readonly<Record<string, readonly string[]>>> {
	const { name, publishConfig } = await readAuthorPackage('kit')
	const entries = Object.entries(publishConfig.exports)
	return Object.fromEntries(entries.map(([entry, path]) => [join(name, entry), [join(kit, declarationsOf(path))]]))
}

/** What an author must have beside a package. */
async function needsOf(id: AuthorPackage, { dependencies }: PackageJson): Promise<object> {
	if (id === 'sql') {
		const { name, version } = await readAuthorPackage('kit')
		// The driver's own: an error of another copy would not be one of the kit.
		return { peerDependencies: { [name]: `^${version}` } }
	}
	const { devDependencies } = JSON.parse(await readFile(inCheckout('package.json'), 'utf8'))
	return {
		// The declarations name `Socket` and `Buffer`.
		dependencies: { '@types/node': `^${devDependencies['@types/node']}` },
		// `./http` takes the driver's own undici, whose types must be the same.
		peerDependencies: { undici: `^${dependencies.undici}` },
		peerDependenciesMeta: { undici: { optional: true } },
	}
}

/** Replaces a folder with the package, ready for `npm pack`. Its bytes depend on the sources alone. */
async function render(id: AuthorPackage, folder: string, kit?: string): Promise<void> {
	await rm(folder, { recursive: true, force: true })
	await mkdir(folder, { recursive: true })
	await emitPackage(id, folder, kit)
	const source = await readAuthorPackage(id)
	const { name, version, description, license, publishConfig } = source
	const exports = Object.entries(publishConfig.exports).map(([entry, path]) => [
		entry,
		{ types: declarationsOf(path), default: path },
	])
	const packageJson = {
		name,
		version,
		description,
		license,
		type: 'module',
		exports: Object.fromEntries(exports),
		...(await needsOf(id, source)),
	}
	await writeFile(join(folder, 'package.json'), `${JSON.stringify(packageJson, undefined, 2)}\n`)
	await copyFile(placeOf(id, 'README.md'), join(folder, 'README.md'))
	await copyFile(inCheckout('LICENSE'), join(folder, 'LICENSE'))
	// The mode of a new file follows the umask.
	for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
		await chmod(join(file.parentPath, file.name), file.isDirectory() ? 0o755 : 0o644)
}

/** Renders and packs all packages into folders of a folder. The tarballs stand beside them. */
export async function packForAuthors(folder: string): Promise<void> {
	const [kit, sql] = [join(folder, 'kit'), join(folder, 'sql')]
	await render('kit', kit)
	await render('sql', sql, kit)
	for (const rendered of [kit, sql]) {
		const code = await run('npm', ['pack', '--silent', '--pack-destination', dirname(rendered), rendered])
		if (code !== 0) throw new Error('npm pack failed.')
	}
}
