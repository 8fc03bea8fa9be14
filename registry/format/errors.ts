import { defineErrors } from '../../base/errors.ts'

/** Every error of writing and checking a registry (docs/errors.md). */
export const registryErrors = defineErrors('registry', {
	not_a_registry: '{place} is not a registry: {reason}. To create one, run `roundhouse registry init`.',
	address:
		'A registry is a folder, an https: address, an http: address on this machine, or a file: address. {place} is none of these.',
	other_registry: '{place} is not the requested registry: its fingerprint is {found}, not {fingerprint}.',
	not_whole: '{place} does not match its signatures: {findings}. Nothing was taken from it.',
	exists: '{folder} already contains a registry. Nothing was changed.',
	busy: 'Another command is using the registry {folder}. Wait until it is done.',
	no_place: '{folder} cannot be used for a copy: {reason}. Nothing was changed.',
	older:
		'{place} offers an older state (timestamp {version}) than the copy has (timestamp {seen}). Nothing was taken from it.',
	findings: '{place} has {count} findings. A host would reject the files that they name.',
	threshold: 'A threshold of {threshold} is not possible with {keys} keys.',
	key_unreadable: '{file} is not a private Ed25519 key in PEM (PKCS #8).',
	key_folder_link:
		'{folder} is a link, so the key could be stored in a folder that others read. Name the folder itself.',
	public_key_malformed:
		'"{key}" is not a public key. A public key has 64 hexadecimal digits; `roundhouse registry key` prints it.',
	keys_missing:
		'The role {role} needs {needed} of its keys to sign, and {found} were found. Name the folders that hold them: --keys FOLDER (repeatable).',
	role_unknown: 'The registry has no role {role}.',
	publisher_unknown:
		'The registry has no publisher {publisher}. The holder of the keys of the role targets can add it: roundhouse registry delegate {publisher} --registry FOLDER',
	publisher_unnamed: 'Name the publisher with --publisher. The registry has these publishers: {publishers}.',
	name_invalid: '"{name}" cannot be the name of a publisher: {reason}.',
	no_bundler:
		'A driver is packed from its folder with esbuild, which an installed Roundhouse does not include. Use a checkout of Roundhouse. Packed drivers (.tgz) need none.',
	file_not_plain:
		'{file} cannot be packed: {reason}. Replace it by a plain file or folder, or remove it from `files` in package.json.',
	package_malformed: '{file} is not a packed driver: {reason}.',
	manifest_malformed: '{file} does not describe a driver: {reason}.',
	version_far:
		'{file} is far above the newest version that counts, {newest}. Hosts would refuse each version below it. Find out who wrote the file, and remove it.',
	release_exists: '{release} is already published, and a release never changes. Give the driver another version.',
	release_unknown: 'The registry has no release {release}.',
})
