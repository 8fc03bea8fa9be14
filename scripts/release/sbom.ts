import { createHash } from 'node:crypto'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { PackageURL } from 'packageurl-js'
import type { BundledPackage } from './bundled.ts'
import type { ReleaseConfig } from './config.ts'

/** Returns the list of parts of a release, in CycloneDX 1.6: what is inside, and what is installed with it. */
export function sbomOf(
	{ version, date, node }: ReleaseConfig,
	bundled: readonly BundledPackage[],
	installed: Readonly<Record<string, string>>,
): string {
	const root = new Models.Component(Enums.ComponentType.Application, 'roundhouse-db', {
		version,
		bomRef: 'roundhouse-db',
	})
	const bom = new Models.Bom({ metadata: new Models.Metadata({ component: root, timestamp: new Date(date) }) })
	for (const { name, version, license } of bundled) bom.components.add(componentOf(name, version, license))
	for (const [name, version] of Object.entries(installed)) bom.components.add(componentOf(name, version))
	bom.components.add(componentOf('node', node, 'MIT'))
	for (const component of bom.components) root.dependencies.add(component.bomRef)
	const text = (serialNumber?: string) => {
		bom.serialNumber = serialNumber
		const normalizer = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
		return `${new Serialize.JsonSerializer(normalizer).serialize(bom, { sortLists: true, space: 2 })}\n`
	}
	// The number says which document this is. It follows from the document, so that two renderings agree.
	return text(uuidOf(text()))
}

function componentOf(name: string, version: string, license?: string) {
	const [scope, bare] = name.startsWith('@') ? name.split('/') : [undefined, name]
	const purl = new PackageURL('npm', scope, bare ?? name, version, undefined, undefined).toString()
	const component = new Models.Component(Enums.ComponentType.Library, bare ?? name, {
		version,
		bomRef: purl,
		purl,
		...(scope !== undefined && { group: scope }),
	})
	if (license !== undefined)
		component.licenses.add(
			/ (OR|AND) /.test(license) ? new Models.LicenseExpression(license) : new Models.SpdxLicense(license),
		)
	return component
}

/** Returns a UUID (version 8, RFC 9562) made of a digest. */
function uuidOf(text: string): string {
	const hex = createHash('sha256').update(text).digest('hex')
	const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
	return `urn:uuid:${parts.join('-')}`
}
