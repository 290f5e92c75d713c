// Recognises the path of a shortDOI: https://doi.org/abcde is the handle 10/abcde.

/** Paths that are never read as a shortDOI: paths of the gateway, and paths that scanners often try. */
const NEVER_SHORT_DOIS: ReadonlySet<string> = new Set(
  `
  api doira graphiql graphql health healthz inspector jobs llms mcp metrics ready readyz schema
  about account actuator adfs admin adminer administer ajax app archive asp assets auth aws backup backups bak beta bin
  blog boaform cache cert cgi checkout client cms code common conf config console contact content cpanel cron css
  dashboard data database debug default demo deploy dev docker docs download downloads druid dump
  ecp editor env error etc evox export favicon feed file files ftp geoserver git gitlab grafana help hnap1 home horde
  host hudson img image images import inc include index info init install jenkins joomla json jmx kibana lib log login
  logon logout logs mail main manage manager media mgmt mobile monitor mysql nacos new nginx nmap node oauth old
  oracle owa panel password phpinfo phpmyadmin phpunit ping pma portal private proxy public query register remote
  rest robots root rss sap saml scripts sdk search secret secrets secure security server service setup shell shop
  signin signup sitemap site solr spring sql src ssh sso static stats status store struts swagger sys sysadmin
  system telescope telnet temp test testing theme tmp token tomcat tools trace upload uploads user users vendor
  version vpn web webadmin webdav weblogic webmail webmin wiki wordpress wpadmin wpcontent xampp xml xmlrpc zabbix`
    .trim()
    .split(/\s+/),
);

/** @returns `10/abcde` for the path `abcde`; null if the path is no shortDOI */
export function shortDoiOfPath(path: string): string | null {
  const isShort = /^[A-Za-z0-9]{3,10}$/.test(path) && !NEVER_SHORT_DOIS.has(path.toLowerCase());
  return isShort ? `10/${path}` : null;
}
