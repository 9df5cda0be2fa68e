import { SETTINGS } from '../../config/settings.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import type { About } from './finding.ts';

interface Problem {
  readonly about: About;
  readonly detail: Sentence;
  readonly remedy: Sentence;
}

const NETWORK = sentence`Check the address, and whether this machine is in the network that the server is for. Where a proxy leads out, HTTPS_PROXY has to be set here.`;

/** What keeps a connection to a server for several people from being made, by the codes of the system and of the TLS library. */
const PROBLEMS: readonly (Problem & { readonly codes: RegExp })[] = [
  {
    codes: /^(?:ENOTFOUND|EAI_)/,
    about: 'Address',
    detail: sentence`its host has no address that is known here`,
    remedy: sentence`Check its spelling, and whether this machine has to be in a network (VPN) whose names it has.`,
  },
  {
    codes: /^ECONNREFUSED$/,
    about: 'Address',
    detail: sentence`nothing listens there`,
    remedy: sentence`Start the server (serve --http) and the proxy before it, or correct the address or its port.`,
  },
  {
    codes: /^(?:SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|CERT_(?:UNTRUSTED|SIGNATURE_FAILURE|REJECTED)|INVALID_CA)/,
    about: 'TLS',
    detail: sentence`its certificate is not trusted on this machine`,
    remedy: sentence`Where your company signs certificates itself, name the file with its authority’s in NODE_EXTRA_CA_CERTS, here and for the clients that Node runs. Else the proxy lacks the certificates between its own and the authority’s.`,
  },
  {
    codes: /^(?:ERR_TLS_CERT_ALTNAME_|HOSTNAME_MISMATCH)/,
    about: 'TLS',
    detail: sentence`it shows the certificate of another host`,
    remedy: sentence`Check the host’s name. If it is right, the proxy has to be given a certificate for it.`,
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    about: 'TLS',
    detail: sentence`its certificate has expired`,
    remedy: sentence`Have it renewed at the proxy, or set this machine’s clock, if that is wrong.`,
  },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    about: 'TLS',
    detail: sentence`its certificate does not count yet`,
    remedy: sentence`Set this machine’s clock, if that is wrong; else wait, or have another one put in at the proxy.`,
  },
  {
    codes: /^(?:ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)|EPROTO)$/,
    about: 'TLS',
    detail: sentence`it does not speak https`,
    remedy: sentence`Name the port at which the proxy ends TLS: the server itself speaks http alone (${SETTINGS.httpListen.variable}).`,
  },
];

/** Of what was thrown instead of an answer. */
export function transportProblem(thrown: unknown): Problem {
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError')
    return { about: 'Address', detail: sentence`it did not answer in time.`, remedy: NETWORK };
  const code = thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : 'no code';
  const known = PROBLEMS.find(({ codes }) => codes.test(code));
  if (known === undefined) return { about: 'Address', detail: sentence`it can’t be reached (${word(code)}).`, remedy: NETWORK };
  return { ...known, detail: sentence`${known.detail} (${word(code)}).` };
}
