import { defineErrors } from '../../base/errors.ts'

/** Everything that can keep a driver from being listed, installed or started. */
export const pluginErrors = defineErrors('plugin', {
	no_registry: '{registry} is not a plugin registry: it has no root metadata. Check the address.',
	registry_known: 'You have already added the registry {registry}.',
	registry_other_root:
		'The registry {registry} has another fingerprint than you entered: {found}. It was not added. Ask its publisher for the fingerprint.',
	registry_for_once:
		'The registry {registry} is trusted for this command only, so its drivers would not load later. Nothing was installed. Trust it first: roundhouse plugin registries add {registry} --fingerprint {fingerprint}',
	registry_default: 'The default registry cannot be removed.',
	registry_not_yours: 'You have not added a registry with the fingerprint {registry}.',
	publisher_fault: 'Drivers of {publisher} in the registry {registry} cannot be installed now: {reason}.',
	id_taken:
		'{driver} and its saved connections belong to another registry or publisher. To remove this binding: roundhouse plugin remove {driver} --forget-registry',
	source_ambiguous:
		'{driver} can come from more than one source: {choices}. Nothing was installed. To choose one: roundhouse plugin install {publisher}/{driver} --registry URL --registry-key FINGERPRINT',
	not_found: 'The registry has no driver {driver}.',
	no_fitting_release: 'No release of {driver} fits this Roundhouse: {reason}.',
	size_mismatch: 'The package of {driver} has another size than in the registry. Nothing was installed.',
	digest_mismatch:
		'The package of {driver} was altered: its digest is not the one the registry signed. Nothing was installed.',
	package_unsafe: 'The package of {driver} contains something that is not allowed: {reason}. Nothing was installed.',
	manifest_mismatch:
		'The manifest in the package of {driver} differs from the manifest in the registry. Nothing was installed.',
	start_failed: '{driver} {version} was downloaded but does not start: {reason}. {kept}',
	altered_on_disk: 'The installed driver {driver} was altered on disk: {reason}. It was not started; install it again.',
	not_listed:
		'{registry} does not list {driver} {version} any more, so it was not started: {reason}. Its connections stay; install it again.',
	replaced:
		'{registry} has replaced {driver} {version} by other contents, but a published version must never change. It was not started. If you trust the change, install it again; from a registry on the network, remove the driver first.',
	wants_more:
		'{driver} {version} may do more than the installed {installed}: {gains}. Nothing was changed. To allow it: roundhouse plugin install {driver}@{version} --accept',
	revoked:
		'{driver} {version} was stopped by its registry: {reason} Its connections stay; update it, or install another version.',
	bundle_unreadable: 'The bundle {file} cannot be read: {reason}. Nothing was installed.',
	bundle_untrusted:
		'The bundle {file} is from a registry that you have not added. Its fingerprint is {fingerprint}. Compare it with the one that the publisher gave you, then add: --fingerprint {fingerprint}',
	bundle_expired:
		'The bundle {file} is out of date since {since}, so it may hide newer releases and revocations. Ask for a new bundle, or accept this one: --accept-expired',
	bundle_lacks: 'The bundle {file} has no release of {driver} that fits. Nothing was installed.',
	bundle_ambiguous:
		'The bundle {file} has {driver} of several publishers: {publishers}. Nothing was installed. To choose one: roundhouse plugin install PUBLISHER/{driver} --from {file}',
	lock_malformed: 'This is not a lock file of drivers: {reason}.',
	lock_mismatch:
		'{driver} {version} differs from the package in the lock file. Nothing was installed. Ask the author of the lock file.',
	not_shown:
		'The registry now has another release of {driver} than you were shown: {version}. Nothing was changed. Open the list again, and look at what that release may do.',
	older_in_lock:
		'{driver} {installed} is installed, and the lock file has the older {version}. Nothing was changed. To install the older one: roundhouse plugin sync --accept-older',
	not_installed: 'The driver {driver} is not installed. Run: roundhouse plugin install {driver}',
	name_taken: '{driver} has "{name}", but {owner} already uses this name. Nothing was installed.',
	older:
		'{driver} {installed} is installed, and the newest release that fits is older: {version}. To install it: roundhouse plugin install {driver}@{version}',
	registry_unknown:
		'{driver} was installed from a registry that you have removed. Add that registry again, or remove the driver: roundhouse plugin remove {driver} --forget-registry',
	disabled:
		'The driver {driver} is disabled. Enable it in Settings > Plugins, or run: roundhouse plugin enable {driver}',
	cancelled: 'The installation of {driver} was cancelled. Nothing was installed.',
})
