import { parseXml, type XmlDocument, XmlElement, type XmlNode } from '@rgrove/parse-xml'
import { addressParts } from './address-parts.ts'
import { connectionOf, type ForeignConnection, unfit } from './foreign-connection.ts'

/**
 * `dataSources.xml` of DataGrip and of the other programs of JetBrains, in `.idea`. Users and the name of a way through SSH
 * are in `dataSources.local.xml`, that way is in `sshConfigs.xml`, and passwords are in a store of the program. The text of
 * those files may stand behind the first one. The parser knows no entities but those of XML, and reads no other file.
 */
export function readDataGrip(text: string): readonly ForeignConnection[] {
	const elements = text
		.split(/(?=<\?xml\s)/)
		.filter(part => part.trim() !== '')
		.flatMap(part => [...elementsOf(parsed(part))])
	const sources = elements.filter(({ name }) => name === 'data-source')
	const servers = elements.filter(({ name }) => name === 'sshConfig')
	const locals = new Map(
		sources.filter(source => textOf(source, 'jdbc-url') === '').map(local => [local.attributes.uuid, local]),
	)
	const written = sources.filter(source => textOf(source, 'jdbc-url') !== '')
	if (sources.length > 0 && written.length === 0)
		throw unfit('It names no addresses. Those of DataGrip are in dataSources.xml.')
	return written.map(source => {
		const url = textOf(source, 'jdbc-url')
		const address = addressParts(url)
		const local = locals.get(source.attributes.uuid)
		const user = textOf(source, 'user-name') || (local && textOf(local, 'user-name')) || address?.user
		// `mysql.8` is a driver of `mysql`.
		const engine = textOf(source, 'driver-ref').replace(/\..*$/, '')
		const tunnel = (local && child(local, 'ssh-properties')) ?? child(source, 'ssh-properties')
		const isThrough = tunnel !== undefined && textOf(tunnel, 'enabled') !== 'false'
		const server = isThrough
			? servers.find(({ attributes }) => attributes.id === textOf(tunnel, 'ssh-config-id'))?.attributes
			: undefined
		return connectionOf({
			name: source.attributes.name,
			group: source.attributes.group,
			engines: [...(address ? [address.scheme] : []), engine],
			...address,
			user,
			ssh: server ? { host: server.host, port: server.port, user: server.username } : address?.ssh,
			isReadOnly: textOf(source, 'read-only') === 'true' || source.attributes['read-only'] === 'true',
			left: [
				!local && !tunnel && `${user ? '' : 'the user and '}a way through SSH, if dataSources.local.xml has it`,
				(local || tunnel) && !user ? 'the user' : undefined,
				server?.keyPath !== undefined && 'the key file of SSH',
				child(source, 'ssl-config') && textOf(source, 'ssl-config') !== '' ? 'certificates' : undefined,
			],
			fault:
				address === undefined
					? 'its address cannot be read'
					: isThrough && !server
						? 'its SSH server is in sshConfigs.xml. Put the text of that file behind this one'
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
