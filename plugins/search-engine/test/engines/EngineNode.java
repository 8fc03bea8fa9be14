import java.io.PrintStream;
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
 * Starts one Elasticsearch node of 7.17 or 8.0 to 8.2 for the tests. The server's start
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

	public static void main(String[] arguments) throws Exception {
		EngineFolder folder = new EngineFolder(arguments[0]);
		// The configuration of the logging replaces System.out by a log.
		PrintStream out = System.out;
		Settings settings = folder.settings(arguments[1], "master", "data");
		Environment environment = InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), folder.config, () -> "node");
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
