import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.Plugin;

/**
 * Starts one Elasticsearch node for the tests: on loopback, with temporary data, without security. The server's start
 * program requires an unpacked distribution, which Maven does not have. The jars are sufficient for a Node object.
 *
 * Arguments: an empty folder, the HTTP port, then the classes of the plugins. Stops when standard input ends.
 */
public final class EngineNode {
	/** The constructor with plugin classes is protected. 7.17 and 8.0 to 8.2 have it. */
	private static final class EmbeddedNode extends Node {
		EmbeddedNode(Environment environment, Collection<Class<? extends Plugin>> plugins) {
			super(environment, plugins, false);
		}
	}

	private static final String QUIET = """
		status = error
		appender.console.type = Console
		appender.console.name = console
		appender.console.layout.type = PatternLayout
		appender.console.layout.pattern = %p %c: %m%n
		rootLogger.level = error
		rootLogger.appenderRef.console.ref = console
		""";

	public static void main(String[] arguments) throws Exception {
		Path home = Path.of(arguments[0]);
		Path config = home.resolve("config");
		for (String name : List.of("config", "data", "logs", "modules", "plugins")) Files.createDirectories(home.resolve(name));
		Files.writeString(config.resolve("log4j2.properties"), QUIET);
		// The configuration of the logging replaces System.out by a log.
		PrintStream out = System.out;
		Settings settings = Settings.builder()
			.put("path.home", home.toString())
			.put("path.data", home.resolve("data").toString())
			.put("path.logs", home.resolve("logs").toString())
			.put("cluster.name", "roundhouse-tests")
			.put("node.name", "node")
			.put("discovery.type", "single-node")
			.put("network.host", "127.0.0.1")
			.put("http.port", arguments[1])
			.put("transport.port", "0")
			.put("cluster.routing.allocation.disk.threshold_enabled", false)
			.putList("node.roles", "master", "data")
			.build();
		Environment environment = InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), config, () -> "node");
		LogConfigurator.registerErrorListener();
		LogConfigurator.setNodeName("node");
		LogConfigurator.configure(environment);
		List<Class<? extends Plugin>> plugins = new ArrayList<>();
		for (int at = 2; at < arguments.length; at++) plugins.add(Class.forName(arguments[at]).asSubclass(Plugin.class));
		try (Node node = new EmbeddedNode(environment, plugins)) {
			node.start();
			out.println("started");
			while (System.in.read() >= 0) { }
		}
		System.exit(0);
	}
}
