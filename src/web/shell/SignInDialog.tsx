import { useEffect, useRef } from 'react';
import { useAccess } from '../access/use-access.ts';
import { Dialog } from '../components/Dialog.tsx';
import { invalidate } from '../data/query-client.ts';
import { confirmSignedIn, leaveForSignIn } from '../data/sign-in-request.ts';
import { PAGE_CONFIG } from '../page-config.ts';
import { findViewer } from '../sign-in/session-request.ts';
import { signInForms } from '../sign-in/sign-in-forms.ts';
import '../sign-in/sign-in.css';

/** Asks for a sign-in over a page with unsaved input, which stays as it is. */
export function SignInDialog() {
  return (
    <Dialog title="Your session has ended" isOpen isRequired onClose={() => undefined}>
      <p className="muted">Sign in to continue. Your input on this page is kept.</p>
      <Forms />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={leaveForSignIn}>
          Discard and leave the page
        </button>
      </div>
    </Dialog>
  );
}

/** The forms of the sign-in page. The dialog mounts its content after itself, so they have a component of their own. */
function Forms() {
  const { viewer } = useAccess();
  const place = useRef<HTMLDivElement>(null);
  const email = viewer?.email;
  useEffect(() => {
    const check = async () => {
      const found = await findViewer().catch(() => undefined);
      if (!found) return;
      // Another user must not see the data of the former one.
      if (email !== undefined && found.email !== email) return window.location.reload();
      confirmSignedIn();
      void invalidate();
    };
    // An identity provider, or another tab, may have signed in.
    const checkAfterReturn = () => void check();
    window.addEventListener('focus', checkAfterReturn);
    const forms = signInForms({ config: PAGE_CONFIG, returnTo: '/', opensTabs: true, onSignedIn: check });
    place.current?.replaceChildren(forms);
    forms.querySelector('input')?.focus();
    return () => window.removeEventListener('focus', checkAfterReturn);
  }, [email]);
  return <div ref={place} />;
}
