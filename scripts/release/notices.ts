import type { BundledPackage } from './bundled.ts'

const rule = '-'.repeat(72)

/** Returns the notices that the licences of bundled packages ask for. */
export function noticesOf(packages: readonly BundledPackage[]): string {
	const head = 'Roundhouse contains software of other projects, whole or in part. Their licences follow.'
	const parts = packages.map(({ name, version, license, texts }) => {
		const text = texts.length > 0 ? texts.join('\n\n') : `The package has no licence file. It declares: ${license}.`
		return `${rule}\n${name} ${version} (${license})\n${rule}\n\n${text}\n`
	})
	return [head, '', ...parts].join('\n')
}
