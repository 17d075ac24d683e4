import { ROLES } from '../access/roles.ts';
import { useAccess } from '../access/use-access.ts';
import { Icon } from '../components/Icon.tsx';
import { Menu, MenuItem, MenuLine } from '../components/Menu.tsx';
import { appUrl } from '../router/app-url.ts';
import { navigate } from '../router/location.ts';

/** Name and role of the signed-in user, with the profile and the sign-out. */
export function AccountMenu() {
  const { viewer } = useAccess();
  if (!viewer) return null;
  const role = ROLES.get(viewer.role.name);
  return (
    <Menu
      label={`Account of ${viewer.username}`}
      button={
        <button type="button" className="nav-item" title={`${viewer.username}, ${role}`}>
          <Icon name="user" />
          <span className="nav-label clip">{viewer.username}</span>
        </button>
      }
    >
      <p className="menu-title account-title">
        <strong className="clip">{viewer.username}</strong>
        {viewer.email && <span className="clip">{viewer.email}</span>}
        <span>{role}</span>
      </p>
      <MenuLine />
      <MenuItem onSelect={() => navigate('/profile')}>
        <Icon name="user" size={14} /> Profile
      </MenuItem>
      <MenuItem onSelect={() => window.location.assign(appUrl('auth/logout'))}>
        <Icon name="right" size={14} /> Sign out
      </MenuItem>
    </Menu>
  );
}
