/** Words of the contacts. */
import { words } from '../ui/text';
import type { PhoneKind } from './state';

const en = {
  contacts: 'Contacts', favourites: 'Favourites', groups: 'Groups', search: 'Search contacts', more: 'More',
  addContact: 'Add contact', newContact: 'New contact', editContact: 'Edit contact', save: 'Save', edit: 'Edit', cancel: 'Cancel', ok: 'OK',
  noContacts: 'No contacts yet', noneFound: 'No contact found', noFavourites: 'Star a contact to see it here', noGroups: 'No groups yet. Tap + to make one.',
  noMembers: 'This group is empty', noName: 'No name',
  sortGiven: 'Sort by first name', sortFamily: 'Sort by last name', findDuplicates: 'Find duplicates', duplicates: 'Duplicates',
  noDuplicates: 'No duplicates found', sameName: (n: number) => `${n} contacts`,
  star: 'Add to favourites', unstar: 'Remove from favourites', share: 'Share', mergeWith: 'Merge with', delete: 'Delete', deleteContact: 'Delete contact',
  deleteAsk: (name: string) => `Delete ${name}?`, deleteText: 'The contact will be removed from this phone.', deleted: 'Contact deleted',
  given: 'First name', family: 'Last name', nickname: 'Nickname', company: 'Company', title: 'Job title', email: 'Email', address: 'Address',
  birthday: 'Birthday', notes: 'Notes', birthdayHint: 'Birthday, YYYY-MM-DD', badBirthday: 'Enter the birthday like 1990-03-25', needName: 'Enter a name or a number',
  kinds: { mobile: 'Mobile', home: 'Home phone', work: 'Work phone' } as { [kind in PhoneKind]: string },
  addKinds: { mobile: '+ Mobile', home: '+ Home', work: '+ Work' } as { [kind in PhoneKind]: string },
  numbered: (label: string, n: number) => `${label} ${n}`, saved: 'Contact saved', copied: 'Copied', at: (title: string, company: string) => `${title}, ${company}`,
  called: (nickname: string) => `“${nickname}”`,
  mergeAsk: 'Merge contacts?', mergeText: (a: string, b: string) => `The details of ${b} will be added to ${a}, and one contact is left.`, merge: 'Merge', merged: 'Contacts merged',
  addGroup: 'Add group', newGroup: 'New group', groupName: 'Group name', renameGroup: 'Rename group', deleteGroup: 'Delete group', rename: 'Rename',
  deleteGroupAsk: (name: string) => `Delete group ${name}?`, deleteGroupText: 'Its contacts stay on this phone.', groupDeleted: 'Group deleted',
  members: (n: number) => (n === 1 ? '1 contact' : `${n} contacts`), editMembers: 'Edit members', chooseMembers: 'Group members', removeFromGroup: 'Remove from group', needGroupName: 'Enter a group name',
  groupThere: 'There is already such a group', done: 'Done', pick: 'Choose a contact', showContact: 'Show contact', contact: 'Contact',
};

const zh: typeof en = {
  contacts: '通讯录', favourites: '收藏', groups: '分组', search: '搜索联系人', more: '更多',
  addContact: '添加联系人', newContact: '新建联系人', editContact: '编辑联系人', save: '保存', edit: '编辑', cancel: '取消', ok: '确定',
  noContacts: '还没有联系人', noneFound: '没有找到联系人', noFavourites: '收藏的联系人会显示在这里', noGroups: '还没有分组，点 + 新建',
  noMembers: '分组里还没有人', noName: '未命名',
  sortGiven: '按名字排序', sortFamily: '按姓氏排序', findDuplicates: '查找重复', duplicates: '重复联系人',
  noDuplicates: '没有重复的联系人', sameName: (n) => `${n}位联系人`,
  star: '加入收藏', unstar: '取消收藏', share: '分享', mergeWith: '合并联系人', delete: '删除', deleteContact: '删除联系人',
  deleteAsk: (name) => `删除${name}？`, deleteText: '该联系人将从手机中移除。', deleted: '联系人已删除',
  given: '名字', family: '姓氏', nickname: '昵称', company: '公司', title: '职位', email: '邮箱', address: '地址',
  birthday: '生日', notes: '备注', birthdayHint: '生日，如 1990-03-25', badBirthday: '请按 1990-03-25 的格式输入生日', needName: '请输入姓名或号码',
  kinds: { mobile: '手机', home: '住宅电话', work: '工作电话' }, addKinds: { mobile: '+ 手机', home: '+ 住宅', work: '+ 工作' },
  numbered: (label, n) => `${label}${n}`, saved: '联系人已保存', copied: '已复制', at: (title, company) => `${company} ${title}`,
  called: (nickname) => `“${nickname}”`,
  mergeAsk: '合并这两位联系人？', mergeText: (a, b) => `${b}的信息将并入${a}，只保留一位联系人。`, merge: '合并', merged: '联系人已合并',
  addGroup: '添加分组', newGroup: '新建分组', groupName: '分组名称', renameGroup: '重命名分组', deleteGroup: '删除分组', rename: '重命名',
  deleteGroupAsk: (name) => `删除分组“${name}”？`, deleteGroupText: '其中的联系人会保留。', groupDeleted: '分组已删除',
  members: (n) => `${n}位联系人`, editMembers: '编辑成员', chooseMembers: '分组成员', removeFromGroup: '移出分组', needGroupName: '请输入分组名称',
  groupThere: '已有同名分组', done: '完成', pick: '选择联系人', showContact: '查看联系人', contact: '联系人',
};

export const t = words({ en, zh });
