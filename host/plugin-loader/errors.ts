import { defineErrors } from '../base/errors.ts'

/** Everything that can keep a driver from being listed, installed or started. */
export const pluginErrors = defineErrors('plugin', {
	registry_unreachable: 'The plugin registry {registry} cannot be reached: {reason}.',
	registry_address:
		'A registry is an https: address, an http: address on this machine, or a file: folder. {registry} is none of these.',
	no_registry: 'There is no registry at {registry}: nothing there begins one.',
	registry_known: 'The registry {registry} is among yours already.',
	registry_other_root:
		'The registry {registry} begins with another root than you were told: its fingerprint is {found}. It was not added; ask its publisher again.',
	registry_for_once:
		'The registry {registry} is named for this command alone, and nothing of it would load afterwards. Nothing was installed. Trust it first: roundhouse plugin registries add {registry} --fingerprint {fingerprint}',
	registry_default: 'The default registry cannot be removed.',
	registry_not_yours: 'There is no registry with the fingerprint {registry} among yours.',
	root_untrusted:
		'The registry {registry} does not begin with the root this host trusts: its fingerprint is another. Nothing was taken from it.',
	fingerprint_old:
		'The registry {registry} is pinned by a fingerprint of the kind before. Ask its publisher for the one of its first root (64 hexadecimal digits), and put it in settings.json.',
	metadata_expired:
		'What the registry {registry} publishes is out of date, so it may hide newer releases: {reason}. Nothing was taken from it.',
	metadata_refused: 'What the registry {registry} publishes was refused: {reason}. Nothing was taken from it.',
	registry_not_kept:
		'What the registry {registry} publishes could not be written down: {reason}. Make room on the disk, then try again.',
	publisher_fault:
		'Nothing is installed from {publisher} in the registry {registry} for now: {reason}. What is installed runs on.',
	release_malformed:
		'The registry {registry} has {driver} {version} under a name that is not its own: it wears the name of another driver. It was left out.',
	release_too_new: '{driver} {version} needs a newer Roundhouse.',
	id_taken:
		'{driver} belongs to another registry or publisher, and its saved connections with it. To let go of that: roundhouse plugin remove {driver} --forget-registry',
	not_found: 'The registry has no driver {driver}.',
	no_fitting_release: 'No release of {driver} fits this Roundhouse: {reason}.',
	download_failed: '{driver} could not be downloaded: {reason}. Nothing was installed.',
	size_mismatch: 'The package of {driver} has another size than the registry says. Nothing was installed.',
	digest_mismatch:
		'The package of {driver} was altered: its digest is not the one the registry signed. Nothing was installed.',
	package_unsafe: 'The package of {driver} holds something it must not: {reason}. Nothing was installed.',
	manifest_mismatch:
		'The package of {driver} describes itself otherwise than the registry does. Nothing was installed.',
	start_failed: '{driver} {version} was downloaded but does not start: {reason}. {kept}',
	altered_on_disk: 'The installed driver {driver} was altered on disk: {reason}. It was not started; install it again.',
	not_listed:
		'{registry} does not list {driver} {version} any more, so it was not started: {reason}. Its connections stay; install it again.',
	replaced:
		'{registry} has {driver} {version} anew, with other contents, so the one here was not started. Install it again.',
	revoked:
		'{driver} {version} was stopped by its registry: {reason} Its connections stay; update it, or install another version.',
	bundle_unreadable: 'The bundle {file} cannot be read: {reason}. Nothing was installed.',
	bundle_untrusted:
		'The bundle {file} is of a registry that is not among yours. Its fingerprint is {fingerprint}: compare it with what the publisher told you, and give it: --fingerprint {fingerprint}',
	bundle_expired:
		'The bundle {file} is out of date since {since}, so it may hide newer releases and revocations. Ask for a new one, or take it as it is: --accept-expired',
	bundle_lacks: 'The bundle {file} does not have {driver} as you want it. Nothing was installed.',
	lock_malformed: 'That is no lock file of drivers: {reason}.',
	lock_mismatch:
		'{driver} {version} is another package than the lock file says. Nothing was installed; ask whoever wrote the file.',
	not_installed: 'The driver {driver} is not installed. Run: roundhouse plugin install {driver}',
	name_taken: '{driver} brings "{name}", and {owner} has one of that name already. Nothing was installed.',
	older:
		'{driver} {installed} is installed, and the newest release that fits is older: {version}. To go back, name it: roundhouse plugin install {driver}@{version}',
	registry_unknown:
		'{driver} was installed from a registry that is not among yours any more. Add that registry again, or let go of it: roundhouse plugin remove {driver} --forget-registry',
	disabled:
		'The driver {driver} is switched off. Switch it on in Settings > Plugins, or run: roundhouse plugin enable {driver}',
	cancelled: 'The installation of {driver} was cancelled. Nothing was installed.',
})
