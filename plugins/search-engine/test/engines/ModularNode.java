import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/**
 * Starts one Elasticsearch node of 8.19 or later for the tests. These read their plugins from folders of modules.
 *
 * Arguments: an empty folder, the HTTP port, the version, then pairs of a plugin's class and the folder of its jars.
 * Stops when standard input ends.
 */
public final class ModularNode {
	public static void main(String[] arguments) throws Exception {
		EngineFolder folder = new EngineFolder(arguments[0]);
		for (int at = 3; at < arguments.length; at += 2) {
			addModule(folder.home.resolve("modules"), arguments[2], arguments[at], Path.of(arguments[at + 1]));
		}
		// The configuration of the logging replaces System.out by a log.
		PrintStream out = System.out;
		LogConfigurator.configureESLogging();
		Environment environment = InternalSettingsPreparer.prepareEnvironment(
			folder.settings(arguments[1], "master", "data", "ingest"), Map.of(), folder.config, () -> "node");
		LogConfigurator.registerErrorListener();
		LogConfigurator.setNodeName("node");
		LogConfigurator.configure(environment, true);
		PluginsLoader plugins = PluginsLoader.createPluginsLoader(
			PluginsLoader.loadModulesBundles(environment.modulesDir()),
			PluginsLoader.loadPluginsBundles(environment.pluginsDir()),
			Map.of(),
			false);
		try (Node node = new Node(environment, plugins)) {
			node.start();
			out.println("started");
			while (System.in.read() >= 0) { }
		}
		System.exit(0);
	}

	private static void addModule(Path modules, String version, String plugin, Path jars) throws Exception {
		String name = plugin.substring(plugin.lastIndexOf('.') + 1);
		Path module = Files.createDirectories(modules.resolve(name));
		Files.writeString(module.resolve("plugin-descriptor.properties"), """
			description=for tests
			version=%s
			name=%s
			classname=%s
			java.version=17
			elasticsearch.version=%s
			extended.plugins=
			has.native.controller=false
			""".formatted(version, name, plugin, version));
		try (var files = Files.list(jars)) {
			for (Path jar : files.toList()) Files.copy(jar, module.resolve(jar.getFileName()));
		}
	}
}
