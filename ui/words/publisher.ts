/** Describes the publisher of a driver: its own name, and the name under which the registry knows its signers. */
export function publisherOf(offer: {
	readonly manifest: { readonly publisher: string }
	readonly source: { readonly publisher: string }
}): string {
	const [said, signed] = [offer.manifest.publisher, offer.source.publisher]
	return said.toLowerCase() === signed ? said : `${said} (${signed})`
}
