import { parseXml, type XmlDocument, XmlElement, type XmlNode } from '@rgrove/parse-xml'
import { addressParts } from './address-parts.ts'
import { connectionOf, type ForeignConnection, unfit } from './foreign-connection.ts'

/**
 * `dataSources.xml` of DataGrip and of the other programs of JetBrains, in `.idea`. Users are in `dataSources.local.xml`,
 * passwords in a store of the program. The parser knows no entities but those of XML, and reads no other file.
 */
export function readDataGrip(text: string): readonly ForeignConnection[] {
	const sources = [...elementsOf(parsed(text))].filter(({ name }) => name === 'data-source')
	const written = sources.filter(source => textOf(source, 'jdbc-url') !== '')
	if (sources.length > 0 && written.length === 0)
		throw unfit('It names no addresses. Those of DataGrip are in dataSources.xml.')
	return written.map(source => {
		const url = textOf(source, 'jdbc-url')
		const address = addressParts(url)
		const user = textOf(source, 'user-name') || address?.user
		// `mysql.8` is a driver of `mysql`.
		const engine = textOf(source, 'driver-ref').replace(/\..*$/, '')
		const tunnel = child(source, 'ssh-properties')
		return connectionOf({
			name: source.attributes.name,
			group: source.attributes.group,
			engines: [...(address ? [address.scheme] : []), engine],
			...address,
			user,
			isReadOnly: textOf(source, 'read-only') === 'true' || source.attributes['read-only'] === 'true',
			left: [
				!user && 'the user, who is in dataSources.local.xml',
				child(source, 'ssl-config') && textOf(source, 'ssl-config') !== '' ? 'certificates' : undefined,
			],
			fault:
				address === undefined
					? 'its address cannot be read'
					: tunnel && textOf(tunnel, 'enabled') !== 'false'
						? 'it is led through SSH by a setting of the other program'
						: undefined,
		})
	})
}

function parsed(text: string): XmlDocument {
	try {
		return parseXml(text)
	} catch (error) {
		// The parser's message quotes the file.
		const line = typeof error === 'object' && error !== null && 'line' in error ? `Line ${error.line}` : 'The text'
		throw unfit(`${line} is not valid XML.`)
	}
}

/** Without recursion: a file may be nested as deep as it likes. */
function* elementsOf(document: XmlDocument): Generator<XmlElement> {
	const waiting: XmlNode[] = document.children.toReversed()
	for (let node = waiting.pop(); node; node = waiting.pop()) {
		if (!(node instanceof XmlElement)) continue
		yield node
		waiting.push(...node.children.toReversed())
	}
}

const child = (element: XmlElement, name: string) =>
	element.children.find((node): node is XmlElement => node instanceof XmlElement && node.name === name)

const textOf = (element: XmlElement, name: string) => child(element, name)?.text.trim() ?? ''
