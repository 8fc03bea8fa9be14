import { defineErrors } from '../host/base/errors.ts'

/** Every way in which keeping a registry can fail (docs/errors.md). */
export const registryErrors = defineErrors('registry', {
	not_a_registry: '{place} is no registry: {reason}. `roundhouse registry init` makes one.',
	address:
		'A registry is a folder, an https: address, an http: address on this machine, or a file: address. {place} is none of these.',
	other_registry:
		'{place} is another registry than the one that was asked for: its fingerprint is {found}, not {fingerprint}.',
	not_whole: '{place} is not as it was signed: {findings}. Nothing was taken from it.',
	exists: '{folder} holds a registry already. Nothing was changed.',
	busy: 'Another command works on the registry {folder}. Wait until it is done.',
	no_place: '{folder} is no place for a copy: {reason}. Nothing was changed.',
	older:
		'{place} offers an older state (timestamp {version}) than the copy has (timestamp {seen}). Nothing was taken from it.',
	findings: '{place} has {count} findings; a host would refuse what they name.',
	threshold: 'There cannot be {threshold} signatures of {keys} keys.',
	key_unreadable: '{file} is not a private Ed25519 key in PEM (PKCS #8).',
	public_key_malformed: '"{key}" is no public key: 64 hexadecimal digits, as `roundhouse registry key` prints them.',
	keys_missing:
		'The role {role} needs {needed} of its keys to sign, and {found} were found. Name the folders that hold them: --keys FOLDER (repeatable).',
	role_unknown: 'The registry has no role {role}.',
	publisher_unknown:
		'The registry has no publisher {publisher}. Whoever holds the keys of its role targets adds one: roundhouse registry delegate {publisher} --registry FOLDER',
	name_invalid: '"{name}" cannot be the name of a publisher: {reason}.',
	package_malformed: '{file} is no packed driver: {reason}.',
	manifest_malformed: '{file} does not describe a driver: {reason}.',
	release_exists: '{release} is published already, and a release never changes. Give the driver another version.',
	release_unknown: 'The registry has no release {release}.',
})
